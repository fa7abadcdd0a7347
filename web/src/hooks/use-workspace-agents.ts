import { useQuery } from '@tanstack/react-query'
import { fetchAllAgents, type AgentFilters } from '@/api/agents'
import { keys } from '@/api/query-client'
import { useWorkspace } from './use-workspace'

const NONE: AgentFilters = {}

/** All agents of the current workspace's catalog, hired or not. Shared by everything that asks with the same filters. */
export function useWorkspaceAgents(filters: AgentFilters = NONE) {
  const workspace = useWorkspace()
  return useQuery(workspaceAgentsQuery(workspace.id, filters))
}

export function workspaceAgentsQuery(workspaceId: string, filters: AgentFilters) {
  return {
    queryKey: keys.agentList(workspaceId, filters),
    queryFn: ({ signal }: { signal: AbortSignal }) => fetchAllAgents(workspaceId, filters, signal),
  }
}
