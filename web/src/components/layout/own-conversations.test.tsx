import { act, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { ListedConversation } from '@/api/types'
import { publish } from '@/live/workspace-events'
import { refuse, reply, stubApi } from '@/testing/api'
import { renderApp } from '@/testing/render-app'
import { hiredAgent, noStats, options, session } from '@/testing/samples'

const LIST = 'GET /api/agent-conversations'

function talk(id: string, changes: Partial<ListedConversation> = {}): ListedConversation {
  const times = { created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' }
  const alone = { team_id: null, forked_from: null, family_id: null, parent_id: null, left_writes_behind: false }
  const holder = { id: 'local-1', name: 'Budget Coach', avatar_url: null }
  return { id, title: id, agent_id: 'local-1', workspace_id: 'w', user_id: 'u', ...alone, ...times, holder, turn: null, ...changes }
}

function open(list: (request: Request) => Response | Promise<Response>, at = '/agents/hired') {
  const api = stubApi({
    'GET /api/auth/options': reply(options),
    'GET /api/auth/session': reply({ session }),
    'GET /api/agents': reply({ agents: [hiredAgent()], total: 1 }),
    'GET /api/agents/stats': reply(noStats),
    'GET /api/approvals': reply({ approvals: [] }),
    [LIST]: list,
  })
  return { api, ...renderApp(at) }
}

const list = () => screen.findByRole('navigation', { name: 'Conversations' })

test('conversations with agents and teams, with who holds each, which is open and what goes on', async () => {
  const sdr = { id: 'b', name: 'SDR', avatar_url: null }
  open(
    reply([
      talk('Tea', { turn: { session_id: 't', status: 'running' } }),
      talk('A lead', { team_id: 'team-1', holder: sdr, turn: { session_id: 't', status: 'waiting' } }),
      talk('Nobody holds it', { title: null, holder: null }),
    ]),
    '/agents/local-1?conversation=Tea',
  )
  const links = within(await list()).getAllByRole('link')
  expect(links.map((link) => [link.textContent, link.getAttribute('href'), link.getAttribute('aria-current')])).toEqual([
    ['TeaBudget CoachAnswering', '/agents/local-1?conversation=Tea', 'page'],
    ['A leadSDRWaiting for your approval', '/agents/teams/team-1?conversation=A lead', null],
    ['Untitled conversation', '/agents/local-1?conversation=Nobody holds it', null],
  ])
})

test('the next page comes when it is asked for', async () => {
  const first = reply([talk('Tea')], 200, { Link: '</api/agent-conversations?before=x>; rel="next"' })
  const isFirst = (request: Request) => !new URL(request.url).searchParams.has('before')
  const { user, api } = open((request) => (isFirst(request) ? first(request) : reply([talk('Milk')])(request)))
  await user.click(within(await list()).getByRole('button', { name: 'Show more' }))
  expect(await within(await list()).findByText('Milk')).toBeTruthy()
  expect(within(await list()).queryByRole('button')).toBeNull()
  const asked = api.asked.filter(({ what }) => what === LIST).map(({ search }) => [search.get('limit'), search.get('before'), search.get('agentId')])
  expect(asked).toEqual([['12', null, null], ['12', 'x', null]])
})

test.each([
  [{ type: 'switched', conversationId: 'Tea', from: 'a', to: 'b', toName: 'SDR', trigger: 'model', epoch: 2 }],
  [{ type: 'approval_required', conversationId: 'Tea', approvalId: 'x', agentId: 'a', toolName: 'pay' }],
  [{ type: 'turn_started', conversationId: 'Tea', sessionId: 't', agentId: 'a' }],
] as const)('it is read again when something is heard of one: $type', async (notice) => {
  const { api } = open(reply([talk('Tea')]))
  await list()
  api.on(LIST, reply([talk('Tea', { holder: { id: 'b', name: 'SDR', avatar_url: null } })]))
  act(() => {
    publish(notice)
  })
  expect(await within(await list()).findByText('SDR')).toBeTruthy()
})

test('nothing is said where there are none', async () => {
  const { api } = open(reply([]))
  await screen.findByRole('navigation', { name: 'Main' })
  await expect.poll(() => api.asked.some(({ what }) => what === LIST)).toBe(true)
  expect(screen.queryByText('Conversations')).toBeNull()
})

test('a list that could not be loaded is asked for again by hand', async () => {
  const { user, api } = open(refuse(400, 'bad', 'No.'))
  const again = await within(await list()).findByRole('button', { name: /Load again/ })
  api.on(LIST, reply([talk('Tea')]))
  await user.click(again)
  expect(await within(await list()).findByText('Tea')).toBeTruthy()
})
