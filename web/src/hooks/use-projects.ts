// Projects beyond their rows: how far they are, and the secret address under which a calendar reads what is due.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { $api, client, unwrap } from '@/api/client'
import { type DataRow, fetchRows } from '@/api/data'
import { keys } from '@/api/query-client'
import type { components } from '@/api/schema'
import { useWorkspace } from './use-workspace'

export type ProjectProgress = components['schemas']['ProjectProgressView']

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

/** What is late is so by the person's own day. */
async function fetchProgress(workspaceId: string, signal?: AbortSignal): Promise<ProjectProgress[]> {
  return (await unwrap(client.GET('/api/data/projects/progress', { params: { query: { workspaceId } }, signal }))).projects
}

function makeCalendarAddress(workspaceId: string): Promise<components['schemas']['NewCalendarAddress']> {
  return unwrap(client.POST('/api/workspaces/{id}/calendar-address', { params: { path: { id: workspaceId } } }))
}

async function revokeCalendarAddress(workspaceId: string): Promise<void> {
  await unwrap(client.DELETE('/api/workspaces/{id}/calendar-address', { params: { path: { id: workspaceId } } }))
}
