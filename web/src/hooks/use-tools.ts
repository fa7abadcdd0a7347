import { useQuery } from '@tanstack/react-query'
import { keys } from '@/api/query-client'
import { fetchTools } from '@/api/tools'
import { useWorkspace } from './use-workspace'

/** The tools that people of the workspace defined. */
export function useTools() {
  const workspace = useWorkspace()
  return useQuery({
    queryKey: keys.tools(workspace.id),
    queryFn: ({ signal }) => fetchTools(workspace.id, signal),
  })
}
