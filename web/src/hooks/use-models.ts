import { useQuery } from '@tanstack/react-query'
import { fetchModels } from '@/api/agent-definition'
import { keys } from '@/api/query-client'
import { useWorkspace } from './use-workspace'

export function useModels() {
  const workspace = useWorkspace()
  return useQuery({ queryKey: keys.models(workspace.id), queryFn: ({ signal }) => fetchModels(signal) })
}
