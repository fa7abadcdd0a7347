// What holds for the whole server: its departments and its models.
import { $api } from '@/api/client'
import { useWorkspace } from './use-workspace'

/** The departments agents belong to. */
export function useDepartments() {
  return $api.useQuery('get', '/api/departments', {}, { select: ({ departments }) => departments, staleTime: 5 * 60_000 })
}

/** What the workspace's agents think with. */
export function useModels() {
  const workspace = useWorkspace()
  return $api.useQuery('get', '/api/models', { params: { query: { workspaceId: workspace.id } } }, { staleTime: 60_000 })
}
