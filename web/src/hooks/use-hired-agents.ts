import { useQuery } from '@tanstack/react-query'
import { fetchAllAgents } from '@/api/agents'
import { keys } from '@/api/query-client'
import { ALL_HIRED } from './agent-cache'
import { useWorkspace } from './use-workspace'

/** The agents that work in the workspace: those one can hand off to, put into a team, or give a tool. */
export function useHiredAgents() {
  const workspace = useWorkspace()
  return useQuery({
    queryKey: [...keys.agents(workspace.id), 'hired'],
    queryFn: async ({ signal }) => (await fetchAllAgents(workspace.id, ALL_HIRED, signal)).agents,
  })
}
