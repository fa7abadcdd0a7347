import { useQuery } from '@tanstack/react-query'
import { keys } from '@/api/query-client'
import { fetchTask } from '@/api/tasks'
import { useWorkspace } from './use-workspace'

/** A chain of tasks. Looked at again and again for as long as it goes on. */
export function useTask(id: string) {
  const workspace = useWorkspace()
  return useQuery({
    queryKey: keys.task(workspace.id, id),
    queryFn: ({ signal }) => fetchTask(id, signal),
    refetchInterval: ({ state }) => (state.data !== undefined && state.data.ended_at === null ? 2_000 : false),
  })
}
