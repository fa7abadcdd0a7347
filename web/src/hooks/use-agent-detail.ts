import { useQuery } from '@tanstack/react-query'
import { fetchAgent, fetchDepartments, fetchModels } from '@/api/agent-definition'
import { keys } from '@/api/query-client'
import { useWorkspace } from './use-workspace'

export function useAgentDetail(id: string) {
  const workspace = useWorkspace()
  return useQuery({
    queryKey: keys.agent(workspace.id, id),
    queryFn: ({ signal }) => fetchAgent(workspace.id, id, signal),
  })
}

export function useModels() {
  const workspace = useWorkspace()
  return useQuery({ queryKey: keys.models(workspace.id), queryFn: ({ signal }) => fetchModels(signal) })
}

export function useDepartments() {
  return useQuery({ queryKey: keys.departments, queryFn: ({ signal }) => fetchDepartments(signal) })
}
