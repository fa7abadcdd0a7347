// Another language is data: with English in accents, nothing on a page is plain English but what came from the server.
import { screen, waitFor } from '@testing-library/react'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { initials, toolWords } from '@/lib/text'
import { refuse, reply, stubApi } from '@/testing/api'
import { agentDetail, models, outreachPack, provider, team, tool } from '@/testing/build-samples'
import { accountRow, areas, balances, budgetStatus, categoryRow, goalProgress, kinds, netWorth, rows, transactionRow } from '@/testing/data-samples'
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
    { type: 'handoff', handoffId: 'h', from: 'local-1', to: 'b', toName: 'SDR', trigger: 'model', reason: null, context: { goal: 'tea' } },
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
  'GET /api/reports/balances': balances,
  'GET /api/reports/net-worth': netWorth,
  'GET /api/reports/budgets': { report: 'budgets', budgets: [budgetStatus] },
  'GET /api/reports/goals': { report: 'goals', goals: [goalProgress] },
}

/** All that the server said, and what is made of it, the longest first. */
const said = ['Baton', ...textsIn(data).flatMap((text) => [text, toolWords(text)]), ...[ada, charles].map(({ name }) => initials(name))].sort(
  (a, b) => b.length - a.length,
)
/** As the browser writes it. */
const DATE = /[A-Z][a-z]{2} \d{1,2}, \d{4}/g

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
    if (parentElement?.closest('code, time, .font-mono, option') === null) texts.push(textContent ?? '')
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
