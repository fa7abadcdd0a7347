// Another language is data: with English in accents, nothing on a page is plain English but what came from the server.
import { screen, waitFor } from '@testing-library/react'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { initials, toolWords } from '@/lib/text'
import { forecast, row, spending, spent, turned, turns } from '@/testing/analytics-samples'
import { refuse, reply, stubApi } from '@/testing/api'
import { agentDetail, models, outreachPack, provider, team, tool } from '@/testing/build-samples'
import { BEN, channel, message } from '@/testing/channel-samples'
import { accountRow, activityRow, areas, balances, budgetStatus, categoryRow, contactRow, dealRow, goalProgress, kinds, netWorth, projectRow, rows, taskRow, transactionRow } from '@/testing/data-samples'
import { importDetails } from '@/testing/import-samples'
import { list, node, page } from '@/testing/knowledge-samples'
import { StillObserver } from '@/testing/observers'
import { ada, charles, invitation, workspaceSettings } from '@/testing/people-samples'
import { renderApp } from '@/testing/render-app'
import { approval, hiredAgent, noStats, options, session } from '@/testing/samples'
import { startLanguage } from './languages'

const owner = { ...session, workspaces: [{ ...session.workspaces[0], role: 'owner' }] }
const written = { conversation_id: 'one', metadata: {}, status: 'complete', attempt: 1, created_at: '2026-01-01T00:00:00Z' }
const answer = {
  ...{ ...written, id: 'm2', agent_id: 'local-1', role: 'assistant', content: 'Buy *green* tea.' },
  parts: [
    { type: 'reasoning', reasoning: 'Hm.' },
    { type: 'tool-call', toolCallId: 'c', toolName: 'search_web', args: { query: 'tea' }, result: 'Green tea.', state: 'completed' },
    { type: 'text', text: '- [x] Tea\n\n```\nmilk\n```' },
    { type: 'handoff', handoffId: 'h', from: 'local-1', to: 'b', toName: 'SDR', trigger: 'model', reason: null, context: { goal: 'tea', is_green: true } },
    { type: 'stage', name: 'analysis', number: 2, of: 3, completed: 'facts' },
  ],
}
const talk = {
  ...{ id: 'one', workspace_id: 'workspace-1', agent_id: 'local-1', user_id: 'user-1', title: 'Tea', team_id: null, parent_id: null, family_id: null },
  ...{ forked_from: null, left_writes_behind: false, created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' },
}
const data = {
  'GET /api/agent-conversations': [
    { ...talk, holder: { id: 'local-1', name: 'Budget Coach', avatar_url: null }, turn: { session_id: 't', status: 'running' } },
    { ...talk, id: 'two', title: null, holder: null, turn: { session_id: 't', status: 'waiting' } },
  ],
  'GET /api/agent-conversations/one': {
    ...{ ...talk, versions: [], switches: [], agents: [], has_more: false, turn: null, last_turn: null, cursor: '1.0' },
    messages: [{ ...written, id: 'm1', agent_id: null, role: 'user', content: 'Hello', parts: [{ type: 'text', text: 'Hello' }] }, answer],
    active: { activationId: 'x', agentId: 'local-1', agentName: 'Budget Coach', avatarUrl: null, role: null, summary: null, epoch: 2, since: '2026-01-01T00:00:00Z', pinned: false },
  },
  'GET /api/auth/options': options,
  'GET /api/auth/session': { session: owner },
  'GET /api/agents': { agents: [hiredAgent()], total: 1 },
  'GET /api/agents/local-1': agentDetail(),
  'GET /api/agents/stats': noStats,
  'GET /api/approvals': { approvals: [approval()] },
  'GET /api/auth/tokens': { tokens: [] },
  'GET /api/tools': { tools: [tool()] },
  'GET /api/teams/team-1': team(),
  'GET /api/teams': { teams: [team()] },
  'GET /api/packs': { packs: [outreachPack] },
  'GET /api/workspaces/workspace-1': workspaceSettings(),
  'GET /api/workspaces/workspace-1/members': { members: [ada, charles] },
  'GET /api/workspaces/workspace-1/invitations': { invitations: [invitation] },
  'GET /api/models': models,
  'GET /api/providers': { providers: [provider({ key_is_readable: false, models: [{ model: 'm-1' }] })] },
  'GET /api/search-engine': { engine: null, server_has_one: false },
  'GET /api/workspaces/workspace-1/areas': areas(),
  'GET /api/data/kinds': { kinds },
  'GET /api/data/accounts': rows(accountRow),
  'GET /api/data/categories': rows(categoryRow),
  'GET /api/data/budgets': rows(),
  'GET /api/data/goals': rows(),
  'GET /api/data/transactions': rows(transactionRow()),
  'GET /api/data/transactions/transfers': { proposals: [] },
  'GET /api/data/changes': { changes: [] },
  'GET /api/data/imports': { imports: [], total: 0 },
  'GET /api/data/imports/i1': importDetails(),
  'GET /api/data/imports/i2': importDetails({ id: 'i2', status: 'completed', is_dry_run: false }, {}, [{ line: 7, type: 'refused', text: 'The date 31/02/2026 does not exist.' }]),
  'GET /api/data/accounts/a1': accountRow,
  'GET /api/data/deals': rows(dealRow()),
  'GET /api/data/contacts': rows(contactRow()),
  'GET /api/data/contacts/k1': contactRow(),
  'GET /api/data/contacts/k1/history': { entries: [], next_cursor: null },
  'GET /api/data/activities': rows(activityRow()),
  'GET /api/data/companies': rows(),
  'GET /api/data/projects': rows(projectRow),
  'GET /api/data/projects/p1': projectRow,
  'GET /api/data/projects/progress': { projects: [{ project_id: 'p1', all: 4, done: 1, overdue: 1, blocked: 2 }] },
  'GET /api/data/project_tasks': rows(taskRow({ priority: 'urgent', due_on: '2026-01-05' })),
  'GET /api/workspaces/workspace-1/calendar-address': { createdAt: null },
  'GET /api/analytics/figures': { figures: [spending, turns] },
  'GET /api/analytics/pins': { pins: [] },
  'GET /api/analytics/spending': spent,
  'GET /api/analytics/turns': turned,
  'GET /api/analytics/spending/rows': { rows: [row], next_offset: null, others: [] },
  'GET /api/analytics/spending/forecast': { figure: spending, forecast, why_not: null },
  'GET /api/channels': { channels: [channel(), channel({ id: 'd1', kind: 'direct', name: 'Ben', unread: 0, unread_mentions: 0 })], total: 2, unread_mentions: 1 },
  'GET /api/channels/mentions': { mentions: [], unread: 1 },
  'GET /api/channels/people': { people: [{ profile_id: BEN, name: 'Ben' }] },
  'GET /api/channels/c1': channel(),
  'GET /api/channels/c1/messages': {
    messages: [
      message(1),
      message(2, { agent_id: 'a1', agent: 'Herald', approved_by: 'Ada', replies: 2, last_reply_at: '2026-01-01T00:00:00Z', edited_at: '2026-01-01T00:00:00Z' }),
      message(3, { text: '', deleted_at: '2026-01-01T00:00:00Z' }),
    ],
    ...{ has_earlier: false, has_later: false },
  },
  'POST /api/channels/c1/read': { success: true },
  'GET /api/knowledge': list(node('p1', 'Handbook'), node('p2', 'Travel')),
  'GET /api/knowledge/p1': page({ properties: [{ name: 'Owner', value: 'Ada' }] }),
  'GET /api/knowledge/p1/links': { links: [], backlinks: [] },
  'GET /api/reports/balances': balances,
  'GET /api/reports/net-worth': netWorth,
  'GET /api/reports/budgets': { report: 'budgets', budgets: [budgetStatus] },
  'GET /api/reports/goals': { report: 'goals', goals: [goalProgress] },
}

/** All that the server said, and what is made of it, the longest first. */
const said = ['Baton', ...textsIn(data).flatMap((text) => [text, toolWords(text)]), ...[ada, charles].map(({ name }) => initials(name))].sort(
  (a, b) => b.length - a.length,
)
/** Days, months and times as the browser writes them. */
const DATE = /\b(\w+day, )?(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* \d+(, \d{4})?|\b(\d+:\d\d )?[AP]M\b/g

beforeAll(() => startLanguage('en-XA'))
beforeEach(() => {
  vi.stubGlobal('IntersectionObserver', StillObserver)
  vi.stubGlobal('ResizeObserver', StillObserver)
})

test.each([
  ['/sign-in', 'Śíǵń íń'],
  ['/settings/members', 'Ḿéḿƀéŕś'],
  ['/settings/models', 'Ṕŕóṽíďéŕś'],
  ['/settings/public-chat', 'Ṕúƀĺíć ćĥáť'],
  ['/agents/hired', 'Ḿý Áǵéńťś'],
  ['/agents/activity/pending', 'Ṕéńďíńǵ Áṕṕŕóṽáĺś'],
  ['/agents/teams', 'Ťéáḿś'],
  ['/agents/tools', 'Ťóóĺś'],
  ['/settings/who-may', 'Ẃĥó ḿáý'],
  ['/money', 'Ńéť ẃóŕťĥ'],
  ['/money/transactions', 'Ḿóńéý'],
  ['/money/budgets', 'Ḿóńéý'],
  ['/money/goals', 'Ḿóńéý'],
  ['/money/changes', 'Ńóťĥíńǵ ẃáś ćĥáńǵéď'],
  ['/imports', 'Íḿṕóŕťś'],
  ['/imports/i1', 'november.csv'],
  ['/imports/i2', 'november.csv'],
  ['/sales', 'Śáĺéś'],
  ['/sales/deals', 'Śáĺéś'],
  ['/sales/contacts', 'Śáĺéś'],
  ['/sales/contacts/k1', 'Kay Hart'],
  ['/sales/companies', 'Śáĺéś'],
  ['/sales/activities', 'Śáĺéś'],
  ['/projects', 'Ṕŕóĵéćťś'],
  ['/projects/p1', 'Move'],
  ['/analytics', 'Áńáĺýťíćś'],
  ['/analytics/spending?forecast=yes&open=2026-10-01', 'Spending'],
  ['/channels/c1', 'general'],
  ['/knowledge/p1', 'Handbook'],
  ['/knowledge/new', 'Ńéẃ ṕáǵé'],
  ['/agents/local-1', 'Ćĥáť ẃíťĥ'],
  ['/agents/local-1?conversation=one', 'Ćĥáť ẃíťĥ'],
  ['/agents/teams/team-1', 'Ćĥáť ẃíťĥ'],
  ['/agents/nowhere/at/all', 'Ťĥéŕé íś ńóťĥíńǵ'],
])('%s has no text of its own in English', async (path, heading) => {
  const replies = Object.entries(data).map(([request, body]) => [request, reply(body)] as const)
  const isSignedOut = path === '/sign-in' && { 'GET /api/auth/session': refuse(401, 'unauthorized', 'Sign in first.') }
  stubApi({ ...Object.fromEntries(replies), ...isSignedOut })
  renderApp(path)
  await screen.findAllByRole('heading', { name: new RegExp(heading) })
  // The sidebar lists conversations once they are read.
  if (path !== '/sign-in') await screen.findByRole('navigation', { name: /Ćóńṽéŕśáťíóńś/ })
  if (path.endsWith('=one')) await screen.findByRole('button', { name: /Ćóṕý ćóďé/ })
  await waitFor(() => {
    expect(document.querySelector('main')?.querySelector('[role=status] .sr-only, .animate-pulse') ?? null).toBeNull()
  })
  expect(englishIn(document.body)).toEqual([])
})

/** Texts and names of controls with two plain letters in a row that the server didn't send. */
function englishIn(page: Element): string[] {
  const walker = document.createTreeWalker(page, NodeFilter.SHOW_TEXT)
  const texts: string[] = []
  while (walker.nextNode()) {
    const { parentElement, textContent } = walker.currentNode
    // What programs read is the same in all languages, and times are the browser’s.
    if (parentElement?.closest('code, time, .font-mono') === null) texts.push(textContent ?? '')
  }
  for (const name of ['aria-label', 'placeholder', 'alt']) {
    texts.push(...Array.from(page.querySelectorAll(`[${name}]`), (element) => element.getAttribute(name) ?? ''))
  }
  return texts.filter((text) => /[A-Za-z]{2}/.test(said.reduce((rest, known) => rest.replaceAll(known, ''), text.replaceAll(DATE, ''))))
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value]
  return typeof value === 'object' && value !== null ? Object.entries(value).flatMap(([key, inner]) => [key, ...textsIn(inner)]) : []
}
