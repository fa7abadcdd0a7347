// Sales to look at: companies, contacts, deals in every stage and two currencies, activities that are overdue, due and done.

const day = (ahead) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10)

export async function fillSales(owner) {
  const make = (kind, fields) => owner.makeRow(kind, fields)
  const mine = { owner_id: owner.profile.id }
  const [acme, umbra, longest] = await Promise.all([
    make('companies', { name: 'Acme Logistics', domain: 'acme.example', industry: 'Logistics', phone: '+49 30 5550123', ...mine }),
    make('companies', { name: 'Umbra Bakeries', domain: 'umbra.example', industry: 'Food' }),
    make('companies', { name: 'The Federation of Independent Makers of Instruments for Chambers and Small Halls' }),
  ])
  const [ada, bo, grace, double] = await Promise.all([
    make('contacts', { name: 'Ada Kern', email: 'ada@acme.example', phone: '+49 30 5550124', job_title: 'Head of Operations', company_id: acme.id, status: 'qualified', ...mine }),
    make('contacts', { name: 'Bo Lindqvist', email: 'bo@umbra.example', company_id: umbra.id, status: 'new', source: 'Trade fair' }),
    make('contacts', { name: 'Grace Wolf', company_id: longest.id, job_title: 'Treasurer' }),
    make('contacts', { name: 'A. Kern', email: 'kern@private.example', phone: '+49 170 5550199', notes: 'Met at the fair in Leipzig.' }),
  ])
  const deal = (name, stage, amount, more = {}) => make('deals', { name, stage, amount, currency: 'EUR', ...mine, ...more })
  const fleet = await deal('Fleet tracking for 40 vans', 'proposal', 4_800_000, { company_id: acme.id, contact_id: ada.id, expected_close_on: day(12) })
  await deal('Pallet scanners', 'lead', 950_000, { company_id: acme.id, contact_id: ada.id, expected_close_on: day(40) })
  await deal('Ovens for three shops', 'lead', 2_150_000, { company_id: umbra.id, contact_id: bo.id })
  await deal('Yearly service of all instruments, cases and stands, with a loan of others meanwhile and delivery on Sundays', 'qualified', 1_275_000, { company_id: longest.id, contact_id: grace.id, expected_close_on: day(-6) })
  await deal('Cash desks', 'negotiation', 730_000, { company_id: umbra.id, contact_id: bo.id, currency: 'USD', expected_close_on: day(3) })
  await deal('Route planning', 'won', 1_600_000, { company_id: acme.id, contact_id: ada.id })
  await deal('Warehouse lamps', 'lost', 240_000, { company_id: acme.id, lost_reason: 'Price' })
  const activity = (subject, type, more) => make('activities', { subject, type, assignee_id: owner.profile.id, ...more })
  await activity('Call back about the offer', 'call', { due_on: day(-3), contact_id: ada.id, company_id: acme.id, deal_id: fleet.id })
  await activity('Send references of similar fleets', 'email', { due_on: day(0), contact_id: ada.id, deal_id: fleet.id })
  await activity('Visit the bakery', 'meeting', { due_on: day(9), contact_id: bo.id, company_id: umbra.id })
  await activity('First call', 'call', { due_on: day(-20), done_on: day(-19), contact_id: ada.id, notes: 'Wants to know where each van is, and when it needs service.' })
  await activity('Prefers to be called in the morning', 'note', { done_on: day(-19), contact_id: ada.id })
  return { acme, umbra, ada, bo, double, fleet }
}

/** Many deals in one go, for a board that is full. */
export async function importDeals(owner, count) {
  const stages = ['lead', 'qualified', 'proposal', 'negotiation', 'won', 'lost']
  const lines = Array.from({ length: count }, (_, at) => `Deal ${at + 1} of many,${stages[at % stages.length]},${(at % 900) + 100}.00,EUR`)
  const query = new URLSearchParams({ workspaceId: owner.workspace.id, filename: 'deals.csv' })
  const { import: begun } = await owner.send(`/api/data/deals/import?${query}`, ['Name,Stage,Amount,Currency', ...lines].join('\n'))
  for (;;) {
    const { import: file } = await owner.get(`/api/data/imports/${begun.id}`)
    if (file.status === 'completed') return
    if (['failed', 'needs_mapping'].includes(file.status)) throw new Error(`the import is ${file.status}: ${file.problem}`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}
