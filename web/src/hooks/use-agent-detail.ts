import { useQuery } from '@tanstack/react-query'
import { fetchAgent } from '@/api/agents'
import { keys } from '@/api/query-client'
import { useWorkspace } from './use-workspace'

export function useAgentDetail(id: string) {
  const workspace = useWorkspace()
  return useQuery({
    queryKey: keys.agent(workspace.id, id),
    queryFn: ({ signal }) => fetchAgent(workspace.id, id, signal),
  })
}
