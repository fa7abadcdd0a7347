// Projects beyond their rows.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { $api } from '@/api/client'
import { type DataRow, fetchRows } from '@/api/data'
import { fetchProgress, makeCalendarAddress, revokeCalendarAddress } from '@/api/projects'
import { keys } from '@/api/query-client'
import { useWorkspace } from './use-workspace'

export type { ProjectProgress } from '@/api/projects'

const PAGE_SIZE = 500
/** The most tasks of one project that are listed; the board shows more. */
const MOST_TASKS = 5_000

/** How far all projects are. */
export function useProgress() {
  const { id } = useWorkspace()
  return useQuery({
    queryKey: [...keys.data(id), 'progress'],
    queryFn: ({ signal }) => fetchProgress(id, signal),
  })
}

/** The tasks of a project, in the order of its board. */
export function useProjectTasks(project: string, enabled: boolean) {
  const { id: workspaceId } = useWorkspace()
  return useQuery({
    queryKey: [...keys.data(workspaceId), 'rows', 'project_tasks', 'of-project', project],
    queryFn: async ({ signal }) => {
      const rows: DataRow[] = []
      for (let cursor: string | null = null; rows.length < MOST_TASKS; ) {
        const page = await fetchRows('project_tasks', { workspaceId, filters: { projectId: project }, sort: { field: 'position', direction: 'rising' }, limit: PAGE_SIZE, cursor }, signal)
        rows.push(...page.rows)
        cursor = page.nextCursor
        if (cursor === null) break
      }
      return rows
    },
    enabled,
  })
}

/** One's calendar address: whether there is one, how to make it and to take it back. */
export function useCalendarAddress() {
  const { id } = useWorkspace()
  const queryClient = useQueryClient()
  const query = $api.useQuery('get', '/api/workspaces/{id}/calendar-address', { params: { path: { id } } })
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['get', '/api/workspaces/{id}/calendar-address'] })
  return {
    query,
    make: async () => {
      const made = await makeCalendarAddress(id)
      await refresh()
      return made
    },
    revoke: async () => {
      await revokeCalendarAddress(id)
      await refresh()
    },
  }
}
