import { useQuery } from '@tanstack/react-query'
import { fetchModels } from '@/api/agent-definition'
import { keys } from '@/api/query-client'
import { useWorkspace } from './use-workspace'

/** What agents think with on this server. */
export function useModels() {
  const workspace = useWorkspace()
  return useQuery({
    queryKey: keys.models(workspace.id),
    queryFn: ({ signal }) => fetchModels(signal),
    // They change when the server starts anew.
    staleTime: 5 * 60_000,
  })
}
