// Links to chats that are not in the workspace at hand, or nowhere.
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { refuse, reply, stubApi } from '@/testing/api'
import { agentDetail, localAgent, team } from '@/testing/build-samples'
import { StillObserver } from '@/testing/observers'
import { renderApp } from '@/testing/render-app'
import { hiredAgent, options, session } from '@/testing/samples'

const ID = '0198c0de-0000-7000-8000-000000000001'
const other = { id: 'workspace-2', name: 'Looms', slug: 'looms', role: 'member' as const }
const member = { agent_id: ID, name: 'Weaver', slug: 'weaver', avatar_url: null, is_active: true, is_default: true, priority: 0, stage: null }

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
