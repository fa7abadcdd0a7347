import { useQuery } from '@tanstack/react-query'
import { fetchAgents } from '@/api/agents'
import { keys } from '@/api/query-client'
import { useWorkspace } from './use-workspace'

/** The most that the server gives at once. */
const ALL = { limit: 200 }

/** All agents of the workspace and its catalog, for what is known about tools. */
export function useEveryAgent() {
  const workspace = useWorkspace()
  return useQuery({
    queryKey: [...keys.agents(workspace.id), 'every'],
    queryFn: async ({ signal }) => (await fetchAgents(workspace.id, ALL, signal)).agents,
  })
}
