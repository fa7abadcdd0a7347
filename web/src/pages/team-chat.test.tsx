import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { keys } from '@/api/query-client'
import { publish } from '@/live/workspace-events'
import { refuse, reply, stubApi } from '@/testing/api'
import { team } from '@/testing/build-samples'
import { StillObserver } from '@/testing/observers'
import { renderApp } from '@/testing/render-app'
import { hiredAgent, options, session } from '@/testing/samples'

beforeEach(() => {
  vi.stubGlobal('IntersectionObserver', StillObserver)
  vi.stubGlobal('ResizeObserver', StillObserver)
})

const stage = (name: string) => ({ name, output_schema: {}, instructions: null })
const member = (agent_id: string, name: string, stageName: string) => ({
  ...{ agent_id, name, slug: agent_id, avatar_url: null, is_active: true, is_restricted: false },
  ...{ is_default: agent_id === 'local-1', priority: 0, stage: stage(stageName) },
})

const READ = 'GET /api/agent-conversations/one'
const RESULTS = 'GET /api/agent-conversations/one/snapshots'

const passed = {
  ...{ id: 'm1', conversation_id: 'one', agent_id: 'local-1', role: 'assistant', content: 'Qualified.', metadata: {}, status: 'complete', attempt: 1 },
  created_at: '2026-01-01T00:00:00Z',
  parts: [
    { type: 'text', text: 'Qualified.' },
    { type: 'stage', name: 'report', number: 2, of: 2, completed: 'qualification', toName: 'Analyzer' },
  ],
}

const conversation = {
  ...{ id: 'one', workspace_id: 'workspace-1', title: 'Tea', team_id: 'team-1', parent_id: null, family_id: null, versions: [], switches: [], agents: [] },
  ...{ messages: [passed], has_more: false, turn: null, last_turn: null, cursor: '1.0' },
  active: { activationId: 'x', agentId: 'local-2', agentName: 'Analyzer', avatarUrl: null, role: null, summary: null, epoch: 2, since: '2026-01-01T00:00:00Z', pinned: false },
}

test('nothing of a conversation that was deleted elsewhere is shown, kept or asked for', async () => {
  const members = [member('local-1', 'Qualifier', 'qualification'), member('local-2', 'Analyzer', 'report')]
  const api = stubApi({
    'GET /api/auth/options': reply(options),
    'GET /api/auth/session': reply({ session }),
    'GET /api/agents': reply({ agents: [hiredAgent(), hiredAgent({ id: 'agent-2', localAgentId: 'local-2', name: 'Analyzer' })], total: 2 }),
    'GET /api/teams/team-1': reply(team({ kind: 'pipeline', members })),
    [READ]: reply(conversation),
    [RESULTS]: reply([{ id: 's', agent_id: 'local-1', stage: 'qualification', version: 1, data: { budget: 9 }, created_at: '2026-01-01T00:00:00Z' }]),
  })
  const { queryClient } = renderApp('/agents/teams/team-1?conversation=one')
  const panel = within(await screen.findByRole('complementary', { name: 'Desk' }))
  expect(await panel.findByRole('button', { name: 'Result' })).toBeTruthy()
  expect(panel.getByRole('button', { name: 'Go back to qualification' })).toBeTruthy()
  expect(screen.getByRole('list', { name: 'Stages' })).toBeTruthy()

  api.on(READ, refuse(404, 'not_found', 'Gone.'))
  api.on(RESULTS, refuse(404, 'not_found', 'Gone.'))
  act(() => { publish({ type: 'conversation_changed', conversationId: 'one' }) })
  expect((await screen.findByRole('alert')).textContent).toContain('This conversation is not there any more')
  await waitFor(() => { expect(panel.queryByRole('button')).toBeNull() })
  expect(screen.queryByRole('list', { name: 'Stages' })).toBeNull()
  expect(screen.queryByText('Analyzer', { selector: 'header *' })).toBeNull()
  expect(document.title).toBe('Desk · Baton')
  const kept = queryClient.getQueryCache().findAll({ queryKey: keys.conversation('workspace-1', 'one') })
  expect(kept.filter(({ state }) => state.data !== undefined)).toEqual([])

  const asked = () => api.asked.filter(({ what }) => what === READ || what === RESULTS).length
  const before = asked()
  act(() => { publish({ type: 'conversation_changed', conversationId: 'two' }) })
  act(() => { publish({ type: 'workspace_changed', workspaceId: 'workspace-1' } as never) })
  await act(() => new Promise((resolve) => setTimeout(resolve, 50)))
  expect(asked()).toBe(before)
})
