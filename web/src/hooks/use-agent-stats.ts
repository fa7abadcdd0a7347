import { useQuery } from '@tanstack/react-query'
import { fetchAgentStats } from '@/api/agents'
import { keys } from '@/api/query-client'
import { useWorkspace } from './use-workspace'

/** What the hired agents of the current workspace have done. */
export function useAgentStats() {
  const workspace = useWorkspace()
  return useQuery({
    queryKey: keys.agentStats(workspace.id),
    queryFn: ({ signal }) => fetchAgentStats(workspace.id, signal),
  })
}
