// A workspace in which every page has something to show, and the address of each page of web/src/routes.tsx.
import { Api } from './api.js'
import { beginImport, fillMoney, importFile } from './money.js'
import { fillProjects } from './projects.js'
import { fillSales } from './sales.js'
import { fillTools } from './tools.js'

const NOBODY = '00000000-0000-4000-8000-000000000000'

/** Fills the demo workspace. Returns the pages as `[name, address, who]`, `who` being somebody's API, or null for a stranger. */
export async function fillEveryPage(owner) {
  const outreach = await owner.hireTeam('outreach', 'outreach')
  const pipeline = await owner.hireTeam('assessment', 'readiness-assessment')
  await owner.hireTeam('procurement', 'procurement-desk')
  const keeper = await owner.makeAgent({ name: 'Keeper', tools: ['memory'] })
  const handedOn = await owner.say('Follow up lead L-42 for the introduction campaign', { teamId: outreach.id })
  const { sessionId, conversationId } = handedOn[0]
  const [stages] = await owner.say(
    'Our company is Acme GmbH, our industry is logistics, we are 40 people and our goal is to answer customers within a day.',
    { teamId: pipeline.id },
  )
  const [asked] = await owner.say('Please remember that I like an aisle seat.', { agentId: keeper.id })
  await owner.post(`/api/agents/${keeper.id}/memories`, { path: 'preferences/tea', content: 'Green tea, no sugar.' })
  const token = await owner.post('/api/auth/tokens', { name: 'Nightly report', workspaceId: owner.workspace.id })
  const brought = await fillTools(owner)
  const handy = await owner.makeAgent({ name: 'Handy', tools: Object.values(brought).map(({ name }) => name) })
  await owner.put(`/api/agents/${handy.id}/tool-permissions`, { tool_id: brought.http.id, level: 'never' })
  const { tools } = await owner.get(`/api/tools?workspaceId=${owner.workspace.id}`)
  const invitation = await owner.post(`/api/workspaces/${owner.workspace.id}/invitations`, { role: 'member' })
  const solutions = await owner.agentNamed('Solutions')
  const coach = await owner.agentNamed('Budget Coach')
  const office = await owner.makeTeam({ name: 'Front Office', kind: 'router', agents: [solutions, coach] })
  const [routed] = await owner.say('Please help me with my budget for next month', { teamId: office.id })
  await owner.openPublicChat(solutions.id)
  const { slug } = await owner.get(`/api/workspaces/${owner.workspace.id}`)
  const visitor = await visitorAt(owner, slug)
  const [met] = await visitor.say('Hello, I need twenty desks.', { agentId: solutions.id })
  const money = await fillMoney(owner)
  const sales = await fillSales(owner)
  const { move } = await fillProjects(owner)
  for (const figure of ['net-worth', 'turns']) await owner.put(`/api/analytics/pins/${figure}`, { workspaceId: owner.workspace.id, by: 'month' })
  const files = await bringFiles(owner, money.checking.id)
  const { id: entry } = (await owner.agents()).find(({ name }) => name === 'Translator')
  const { pages } = await owner.get(`/api/knowledge?workspaceId=${owner.workspace.id}`)
  const handbook = pages.find(({ title }) => title === 'Handbook')
  const below = await owner.get(`/api/knowledge?workspaceId=${owner.workspace.id}&parentId=${handbook.id}`)
  const { channels } = await owner.get(`/api/channels?workspaceId=${owner.workspace.id}`)
  const relaunch = channels.find(({ name }) => name === 'website-relaunch')
  const { messages } = await owner.get(`/api/channels/${relaunch.id}/messages`)
  const answered = messages.find(({ replies }) => replies > 0)
  return [
    ['dashboard', '/agents'],
    ['discover', '/agents/discover'],
    ['my agents', '/agents/hired'],
    ['pending approvals', '/agents/activity/pending'],
    ['transitions', '/agents/transitions'],
    ['task', `/agents/tasks/${sessionId}`],
    ['tools', '/agents/tools'],
    ['new tool', '/agents/tools/new'],
    ...['server', 'api', 'openapi', 'handoff', 'preset', 'supabase'].map((way) => [`new ${way} tool`, `/agents/tools/new/${way}`]),
    ['tool', `/agents/tools/${tools.find(({ type }) => type === 'handoff').id}`],
    ...Object.entries(brought).map(([name, { id }]) => [`${name} tool`, `/agents/tools/${id}`]),
    ['agent with tools of all types', `/agents/${handy.id}/settings`],
    ['teams', '/agents/teams'],
    ['new team', '/agents/teams/new'],
    ['edit a team', `/agents/teams/${pipeline.id}/edit`],
    ['team chat with a handoff', `/agents/teams/${outreach.id}?conversation=${conversationId}`],
    ['router chat', `/agents/teams/${office.id}?conversation=${routed.conversationId}`],
    ['pipeline chat', `/agents/teams/${pipeline.id}?conversation=${stages.conversationId}`],
    ['new agent', '/agents/new'],
    ['agent settings', `/agents/${keeper.id}/settings`],
    ['agent that does not work here', `/agents/${NOBODY}`],
    ['empty chat', `/agents/${keeper.id}`],
    ['chat that asks for approval', `/agents/${keeper.id}?conversation=${asked.conversationId}`],
    ...['', '/transactions', '/budgets', '/goals', '/categories', '/rates', '/changes'].map((section) => [`money${section}`, `/money${section}`]),
    ...['', '/deals', '/contacts', '/companies', '/activities', '/changes'].map((section) => [`sales${section}`, `/sales${section}`]),
    ['contact', `/sales/contacts/${sales.ada.id}`],
    ['projects', '/projects'],
    ...['', '/list', '/people', '/changes'].map((view) => [`project${view}`, `/projects/${move.id}${view}`]),
    ['analytics', '/analytics'],
    ['a figure with its forecast', '/analytics/spending?by=month&forecast=yes'],
    ['a figure by agent with its rows', `/analytics/tokens?by=month&open=${new Date().toISOString().slice(0, 8)}01`],
    ['a figure that is not there', '/analytics/happiness'],
    ['imports', '/imports'],
    ['import that asks', `/imports/${files.asking.id}`],
    ['import to look at', `/imports/${files.ready.id}`],
    ['import that is done', `/imports/${files.done.id}`],
    ...['', '/tokens', '/workspace', '/members', '/who-may', '/models', '/search', '/public-chat', '/audit'].map((section) => [
      `settings${section}`,
      `/settings${section}`,
    ]),
    ['a token to connect with', `/settings/tokens/${token.id}`],
    ...['', '/profiles', '/models', '/search'].map((section) => [`administration${section}`, `/administration${section}`]),
    ['catalog editor', `/administration/catalog?agent=${entry}`],
    ['new catalog agent', '/administration/catalog?agent=new'],
    ['channels', '/channels'],
    ['channel', `/channels/${relaunch.id}`],
    ['thread', `/channels/${relaunch.id}?thread=${answered.id}`],
    ['mentions', '/channels/mentions'],
    ['knowledge', '/knowledge'],
    ['knowledge page', `/knowledge/${below.pages[1].id}`],
    ['new knowledge page', '/knowledge/new'],
    ['not found', '/agents/teams/none/of/this'],
    ['sign-in', '/sign-in', null],
    ['sign-in link', '/sign-in/link#bli_unknown', null],
    ['sign-up', '/sign-up', null],
    ['invitation', `/invitations/${invitation.token}`, null],
    ['public chat', `/w/${slug}`, null],
    ['public chat with messages', `/w/${slug}?conversation=${met.conversationId}`, visitor],
  ].map(([name, address, who = owner]) => [name, address, who])
}

/** A file whose dates can be read in two ways, one that waits for its person, with a line that can't be read, and one that is in. */
async function bringFiles(owner, account) {
  const rows = (...lines) => ['Date,Amount,Payee', ...lines].join('\n')
  const asking = await beginImport(owner, { name: 'card.csv', text: rows('03/04/2026,-12.50,Corner Shop', '05/06/2026,-7.20,Bakery'), account, dryRun: true })
  const ready = await beginImport(owner, {
    name: 'A statement with a name that is long, as some banks like to have it, 2026-01-01 to 2026-06-30.csv',
    text: rows('2026-04-13,-12.50,Corner Shop', '2026-02-31,-9.00,Kiosk', '2026-04-14,1200.00,Example Works'),
    account,
    dryRun: true,
  })
  const done = await importFile(owner, { name: 'march.csv', text: rows('2026-03-13,-31.40,Hardware Store', '2026-03-14,-7.20,Bakery'), account })
  return { asking, ready, done }
}

/** Somebody without an account, at the public address of the owner's workspace. */
async function visitorAt({ origin, workspace }, slug) {
  const visitor = new Api(origin)
  await visitor.get(`/api/public/${slug}`)
  return Object.assign(visitor, { workspace })
}

/** Nothing is loading any more. */
export async function calm(page) {
  await page.locator('h1').first().waitFor({ state: 'attached' })
  await page.waitForFunction(() => document.querySelector('[aria-busy="true"], .animate-spin, [data-skeleton]') === null)
}
