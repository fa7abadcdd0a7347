// Links to chats that are not in the workspace at hand, or nowhere.
import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { keys } from '@/api/query-client'
import { refuse, reply, stubApi } from '@/testing/api'
import { agentDetail, localAgent, team } from '@/testing/build-samples'
import { StillObserver } from '@/testing/observers'
import { currentPath, renderApp } from '@/testing/render-app'
import { hiredAgent, options, session } from '@/testing/samples'

const ID = '0198c0de-0000-7000-8000-000000000001'
const other = { id: 'workspace-2', name: 'Looms', slug: 'looms', role: 'member' as const }
const member = { agent_id: ID, name: 'Weaver', slug: 'weaver', avatar_url: null, is_active: true, is_restricted: false, is_default: true, priority: 0, stage: null }

beforeEach(() => {
  vi.stubGlobal('IntersectionObserver', StillObserver)
  vi.stubGlobal('ResizeObserver', StillObserver)
  window.localStorage.clear()
  window.sessionStorage.clear()
})

/** A person in two workspaces, looking at the first; the agent and the team of that id are in the second. */
function stubTwo(handlers: Parameters<typeof stubApi>[0] = {}) {
  const detail = agentDetail({ localAgent: localAgent({ id: ID, workspace_id: 'workspace-2', name: 'Weaver' }) })
  return stubApi({
    'GET /api/auth/options': reply(options),
    'GET /api/auth/session': reply({ session: { ...session, workspaces: [...session.workspaces, other] } }),
    'GET /api/agents': (request) => {
      const isThere = new URL(request.url).searchParams.get('workspaceId') === 'workspace-2'
      const agents = isThere ? [hiredAgent({ localAgentId: ID, name: 'Weaver' })] : [hiredAgent()]
      return Response.json({ agents, total: 1 })
    },
    [`GET /api/agents/${ID}`]: (request) => {
      const asked = new URL(request.url).searchParams.get('workspaceId') ?? 'workspace-2'
      return asked === 'workspace-2' ? Response.json(detail) : Response.json({ error: 'No.', code: 'not_found' }, { status: 404 })
    },
    [`GET /api/teams/${ID}`]: reply(team({ id: ID, workspace_id: 'workspace-2', members: [member] })),
    ...handlers,
  })
}

test.each([
  ['an agent', `/agents/${ID}`, 'Message Weaver'],
  ['a team', `/agents/teams/${ID}`, 'Message Weaver'],
  ['an agent’s settings', `/agents/${ID}/settings`, 'Name'],
])('a link to %s of another workspace leads there', async (_, path, label) => {
  stubTwo()
  renderApp(path)
  expect(await screen.findByRole('textbox', { name: label })).toBeTruthy()
  expect(window.sessionStorage.getItem('baton.workspace')).toBe('workspace-2')
})

test.each([
  ['of a workspace that the person is not in', refuse(404, 'not_found', 'There is no such agent.')],
  ['that was let go there', reply({ ...agentDetail({ localAgent: localAgent({ workspace_id: 'workspace-2' }) }), isHired: false })],
])('an agent %s does not work here', async (_, answer) => {
  stubTwo({ [`GET /api/agents/${ID}`]: answer })
  renderApp(`/agents/${ID}`)
  expect(await screen.findByRole('heading', { name: 'This agent does not work here' })).toBeTruthy()
  await waitFor(() => {
    expect(window.sessionStorage.getItem('baton.workspace')).not.toBe('workspace-2')
  })
})

test('an agent for the premium tier says so', async () => {
  stubTwo({ [`GET /api/agents/${ID}`]: refuse(403, 'premium_required', 'This agent requires a premium subscription.') })
  renderApp(`/agents/${ID}`)
  expect(await screen.findByRole('heading', { name: 'This agent is not open to you' })).toBeTruthy()
  expect(screen.getByText('This agent requires a premium subscription.')).toBeTruthy()
})

test.each([
  ['an agent that works nowhere', `/agents/${ID}`, 'This agent does not work here', 'Agent not found · Baton'],
  ['no agent’s id', '/agents/activity', 'There is nothing at this address', 'Not found · Baton'],
  ['a team that is gone', `/agents/teams/${ID}`, 'There is no such team', 'Team not found · Baton'],
  ['no team’s id', '/agents/teams/nonsense', 'There is no such team', 'Team not found · Baton'],
])('%s is said to be missing, with a way on', async (_, path, title, pageTitle) => {
  const missing = refuse(404, 'not_found', 'There is no such thing.')
  stubTwo({
    [`GET /api/agents/${ID}`]: missing,
    [`GET /api/teams/${ID}`]: missing,
    'GET /api/teams/nonsense': refuse(422, 'invalid_field', 'id must be a UUID.', { field: 'id' }),
  })
  renderApp(path)
  const heading = await screen.findByRole('heading', { level: 1, name: title })
  expect(heading.parentElement?.querySelector('a')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
  expect(document.title).toBe(pageTitle)
})

test.each([
  ['that is gone', refuse(404, 'not_found', 'There is no such conversation.')],
  ['of no id', refuse(422, 'invalid_field', 'id must be a UUID.', { field: 'id' })],
])('in place of a conversation %s a new one is offered', async (_, answer) => {
  stubTwo({ 'GET /api/agent-conversations/lost': answer })
  renderApp('/agents/local-1?conversation=lost')
  const missing = await screen.findByRole('alert')
  expect(missing.textContent).toContain('This conversation is not there any more')
  expect(within(missing).getByRole('button', { name: 'New conversation' })).toBeTruthy()
})

test('the gear leads to the settings of whoever holds the conversation', async () => {
  const active = { activationId: 'activation-1', agentId: 'local-2', agentName: 'SDR', avatarUrl: null, role: null, summary: null, epoch: 2, since: '2026-01-01T00:00:00Z', pinned: true }
  stubTwo({
    'GET /api/agents': reply({ agents: [hiredAgent(), hiredAgent({ id: 'agent-2', localAgentId: 'local-2', name: 'SDR' })], total: 2 }),
    'GET /api/agent-conversations/one': reply({
      ...{ id: 'one', workspace_id: 'workspace-1', title: 'Tea', team_id: null, parent_id: null, family_id: null, versions: [], switches: [], agents: [] },
      ...{ active, messages: [], has_more: false, last_turn: null, cursor: '1' },
    }),
  })
  renderApp('/agents/local-1?conversation=one')
  await screen.findByRole('textbox', { name: 'Message SDR' })
  expect(screen.getByRole('link', { name: 'Agent settings' }).getAttribute('href')).toBe('/agents/local-2/settings')
})

const GONE = '0198c0de-0000-7000-8000-000000000009'
const held = (agentId: string, agentName: string) => ({ activationId: 'a', agentId, agentName, avatarUrl: null, role: null, summary: null, epoch: 2, since: '2026-01-01T00:00:00Z', pinned: false })
const said = { id: 'said', conversation_id: 'old', agent_id: GONE, role: 'assistant', content: 'See you.', parts: [{ type: 'text', text: 'See you.' }], metadata: {}, status: 'complete', attempt: 1, created_at: '2026-01-01T00:00:00Z' }

/** A conversation with Clerk, who was let go. */
function stubDeparted({ active = held(GONE, 'Clerk'), before = [] as string[], defaultAgent = null as string | null } = {}) {
  const helper = hiredAgent({ id: 'agent-2', localAgentId: 'local-2', name: 'Helper' })
  return stubTwo({
    'GET /api/agents': reply({ agents: [hiredAgent(), helper], total: 2 }),
    [`GET /api/agents/${GONE}`]: reply({ ...agentDetail({ localAgent: localAgent({ id: GONE, workspace_id: 'workspace-1' }) }), isHired: false }),
    'GET /api/workspaces/workspace-1': reply({ id: 'workspace-1', default_agent_id: defaultAgent }),
    'GET /api/agent-conversations/old': reply({
      ...{ id: 'old', workspace_id: 'workspace-1', title: 'Tea', team_id: null, parent_id: null, family_id: null, versions: [], switches: [], agents: [] },
      ...{ active, messages: [said], has_more: false, last_turn: null, cursor: '1' },
    }),
    'GET /api/agent-conversations/old/activations': reply([...before, GONE].map((agent_id) => ({ agent_id }))),
  })
}

test.each([
  ['the agent before', ['local-1', 'local-2'], 'local-1', 'Your next message goes to Helper.', 'Message Helper'],
  ['the workspace’s default agent', ['let-go-too'], 'local-1', 'Your next message goes to Budget Coach.', 'Message Budget Coach'],
  ['nobody', [], null, 'Nobody answers until you choose another agent.', 'Message Clerk'],
])('a conversation of an agent that was let go is there to read, and goes on with %s', async (_, before, defaultAgent, words, label) => {
  stubDeparted({ before, defaultAgent })
  renderApp(`/agents/${GONE}?conversation=old`)
  expect(await screen.findByText('See you.')).toBeTruthy()
  expect(await screen.findByText(`Clerk isn’t available any more. ${words}`)).toBeTruthy()
  expect(screen.getByText('Not available any more')).toBeTruthy()
  expect(screen.getByRole('textbox', { name: label })).toBeTruthy()
  expect(screen.queryByRole('link', { name: 'Agent settings' })).toBeNull()
})

test('what is new begins with who follows an agent that was let go', async () => {
  stubDeparted({ before: ['local-2'] })
  const { user } = renderApp(`/agents/${GONE}?conversation=old`)
  await screen.findByRole('textbox', { name: 'Message Helper' })
  await user.click(screen.getByRole('button', { name: 'New conversation' }))
  await waitFor(() => {
    expect(currentPath()).toBe('/agents/local-2')
  })
})

test('a conversation that began with an agent since let go goes on with who holds it', async () => {
  stubDeparted({ active: held('local-2', 'Helper') })
  renderApp(`/agents/${GONE}?conversation=old`)
  expect(await screen.findByRole('textbox', { name: 'Message Helper' })).toBeTruthy()
  expect(screen.queryByText(/available any more/i)).toBeNull()
  expect(screen.getByRole('link', { name: 'Agent settings' }).getAttribute('href')).toBe('/agents/local-2/settings')
})

test('a conversation of an agent that was let go in another workspace leads there', async () => {
  const api = stubDeparted()
  api.on(`GET /api/agents/${GONE}`, reply({ ...agentDetail({ localAgent: localAgent({ id: GONE, workspace_id: 'workspace-2' }) }), isHired: false }))
  renderApp(`/agents/${GONE}?conversation=old`)
  expect(await screen.findByText('See you.')).toBeTruthy()
  expect(window.sessionStorage.getItem('baton.workspace')).toBe('workspace-2')
})

test('an open conversation of an agent that is gone stays open while the list and the agent are asked for in vain', async () => {
  const api = stubDeparted()
  api.on(`GET /api/agents/${GONE}`, refuse(403, 'premium_required', 'This agent requires a premium subscription.'))
  const { queryClient } = renderApp(`/agents/${GONE}?conversation=old`)
  await screen.findByText('See you.')
  const thread = screen.getByRole('region', { name: 'Conversation' })
  api.on('GET /api/agents', refuse(403, 'forbidden', 'Not now.'))
  await act(() => Promise.all([keys.read, keys.workspaces].map((queryKey) => queryClient.invalidateQueries({ queryKey }))))
  expect(queryClient.getQueryCache().findAll({ predicate: ({ state }) => state.status === 'error' }).length).toBeGreaterThan(1)
  expect(thread.isConnected).toBe(true)
})
