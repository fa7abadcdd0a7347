// A workspace in which every page has something to show, and the address of each page of web/src/routes.tsx.
import { Api } from './api.js'

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
  const { id: entry } = (await owner.agents()).find(({ name }) => name === 'Translator')
  return [
    ['dashboard', '/agents'],
    ['discover', '/agents/discover'],
    ['my agents', '/agents/hired'],
    ['pending approvals', '/agents/activity/pending'],
    ['transitions', '/agents/transitions'],
    ['task', `/agents/tasks/${sessionId}`],
    ['tools', '/agents/tools'],
    ['new tool', '/agents/tools/new'],
    ['tool', `/agents/tools/${tools[0].id}`],
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
    ...['', '/tokens', '/workspace', '/members', '/models', '/public-chat', '/audit'].map((section) => [
      `settings${section}`,
      `/settings${section}`,
    ]),
    ...['', '/profiles'].map((section) => [`administration${section}`, `/administration${section}`]),
    ['catalog editor', `/administration/catalog?agent=${entry}`],
    ['new catalog agent', '/administration/catalog?agent=new'],
    ['not found', '/agents/teams/none/of/this'],
    ['sign-in', '/sign-in', null],
    ['sign-in link', '/sign-in/link#bli_unknown', null],
    ['sign-up', '/sign-up', null],
    ['invitation', `/invitations/${invitation.token}`, null],
    ['public chat', `/w/${slug}`, null],
    ['public chat with messages', `/w/${slug}?conversation=${met.conversationId}`, visitor],
  ].map(([name, address, who = owner]) => [name, address, who])
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
