// What was done and what it cost: tasks, handoffs, tokens.
import { keepPreviousData } from '@tanstack/react-query'
import { $api } from '@/api/client'
import { useWorkspace } from './use-workspace'

/** A chain of tasks. Looked at again and again for as long as it goes on. */
export function useTask(id: string) {
  return $api.useQuery('get', '/api/tasks/{id}', { params: { path: { id } } }, {
    refetchInterval: ({ state }) => (state.data !== undefined && state.data.ended_at === null ? 2_000 : false),
  })
}

/** How the handoffs of the current workspace went. */
export function useTransitions(days: number) {
  const workspace = useWorkspace()
  const query = { workspaceId: workspace.id, days, limit: 50 }
  return $api.useQuery('get', '/api/agents/transitions', { params: { query } }, { placeholderData: keepPreviousData })
}

/** Tokens and cost, day by day: of the workspace for its admins, of oneself for others. */
export function useUsage(days: number) {
  const workspace = useWorkspace()
  return $api.useQuery('get', '/api/agents/usage', { params: { query: { workspaceId: workspace.id, days } } })
}
