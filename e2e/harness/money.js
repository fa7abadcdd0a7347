// Money to look at: accounts in two currencies, a year of transactions, budgets that stand well and badly, goals.

const day = (back) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10)

export async function fillMoney(owner) {
  const make = (kind, fields) => owner.makeRow(kind, fields)
  const [checking, savings, dollars] = await Promise.all([
    make('accounts', { name: 'Household', type: 'checking', currency: 'EUR', opening_balance: 210_000 }),
    make('accounts', { name: 'Reserve', type: 'savings', currency: 'EUR', opening_balance: 800_000 }),
    make('accounts', { name: 'Travel card', type: 'credit_card', currency: 'USD', opening_balance: -12_000 }),
  ])
  const [groceries, rent, salary] = await Promise.all([
    make('categories', { name: 'Groceries at home', type: 'spending' }),
    make('categories', { name: 'Rent of the flat', type: 'spending' }),
    make('categories', { name: 'Salary of work', type: 'income' }),
  ])
  for (let month = 0; month < 6; month++) {
    const at = (offset) => day(month * 30 + offset)
    await make('transactions', { account_id: checking.id, booked_on: at(2), amount: 310_000, payee: 'Example Works', category_id: salary.id })
    await make('transactions', { account_id: checking.id, booked_on: at(3), amount: -95_000, payee: 'Sunny Homes', category_id: rent.id })
    await make('transactions', { account_id: checking.id, booked_on: at(5), amount: -8_435, payee: 'Corner Shop', category_id: groceries.id })
    await make('transactions', { account_id: checking.id, booked_on: at(9), amount: -6_190, payee: 'A shop with a very long name that does not fit into any column of a table' })
    await make('transactions', { account_id: checking.id, booked_on: at(4), amount: -50_000, payee: 'To reserve' })
    await make('transactions', { account_id: savings.id, booked_on: at(4), amount: 50_000, payee: 'From household' })
  }
  await make('transactions', { account_id: dollars.id, booked_on: day(1), amount: -4_250, payee: 'Diner', status: 'pending' })
  await make('budgets', { name: 'Food', category_id: groceries.id, amount: 40_000, currency: 'EUR', starts_on: day(200) })
  await make('budgets', { name: 'Flat', category_id: rent.id, amount: 90_000, currency: 'EUR', starts_on: day(200) })
  await make('goals', { name: 'Bicycle', target_amount: 1_500_000, currency: 'EUR', account_id: savings.id, starts_on: day(200), target_on: day(-300) })
  await make('goals', { name: 'Piano', target_amount: 300_000, currency: 'EUR', saved_amount: 30_000, starts_on: day(90) })
  return { checking, savings, dollars, groceries, rent }
}

/** Brings a CSV of transactions in, and waits until it is done. */
export async function importFile(owner, { name, text, account }) {
  const file = await beginImport(owner, { name, text, account })
  if (file.status !== 'completed') throw new Error(`the import is ${file.status}: ${file.problem}`)
  return file
}

/** The same as far as it goes without an answer. `dryRun`: nothing is stored, as when a person brings a file in. */
export async function beginImport(owner, { name, text, account, dryRun = false }) {
  const query = new URLSearchParams({ workspaceId: owner.workspace.id, filename: name, account, dryRun })
  const { import: begun } = await owner.send(`/api/data/transactions/import?${query}`, text)
  for (;;) {
    const { import: file } = await owner.get(`/api/data/imports/${begun.id}`)
    if (['completed', 'failed', 'needs_mapping', 'ready'].includes(file.status)) return file
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}
