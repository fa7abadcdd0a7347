import { useQuery, useQueryClient } from '@tanstack/react-query'
import { keys } from '@/api/query-client'
import { changeWorkspace, fetchWorkspace, type WorkspaceChanges, type WorkspaceSettings } from '@/api/workspaces'
import { useWorkspace } from './use-workspace'

export function useWorkspaceSettings() {
  const { id } = useWorkspace()
  return useQuery({ queryKey: keys.workspace(id), queryFn: ({ signal }) => fetchWorkspace(id, signal) })
}

/** Changes the workspace, and what the app knows of it. */
export function useChangeWorkspace(): (changes: WorkspaceChanges) => Promise<WorkspaceSettings> {
  const { id } = useWorkspace()
  const queryClient = useQueryClient()
  return async (changes) => {
    const settings = await changeWorkspace(id, changes)
    queryClient.setQueryData(keys.workspace(id), settings)
    await Promise.all([
      // Its name stands in the sidebar, and its default agent in the lists.
      queryClient.invalidateQueries({ queryKey: keys.session }),
      'default_agent_id' in changes && queryClient.invalidateQueries({ queryKey: keys.agents(id) }),
    ])
    return settings
  }
}
