import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { $api, client, unwrap } from '@/api/client'
import { keys } from '@/api/query-client'
import type { components } from '@/api/schema'
import { useWorkspace } from './use-workspace'

export function useWorkspaceSettings() {
  const { id } = useWorkspace()
  return $api.useQuery('get', '/api/workspaces/{id}', { params: { path: { id } } })
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

const PAGE_SIZE = 50

/** What happened in the workspace, the newest first. */
export function useAudit() {
  const { id } = useWorkspace()
  const query = useInfiniteQuery({
    queryKey: keys.audit(id),
    queryFn: ({ pageParam, signal }) => fetchAudit(id, { limit: PAGE_SIZE, offset: pageParam }, signal),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const seen = pages.reduce((count, page) => count + page.events.length, 0)
      return last.events.length > 0 && seen < last.total ? seen : undefined
    },
  })
  return { ...query, events: query.data?.pages.flatMap(({ events }) => events) ?? [] }
}

export type WorkspaceSettings = components['schemas']['WorkspaceView']
type WorkspaceChanges = components['schemas']['WorkspaceChangesBody']
export type AuditEvent = components['schemas']['AuditEventView']
type AuditPage = components['schemas']['AuditPage']

export function createWorkspace(name: string): Promise<WorkspaceSettings> {
  return unwrap(client.POST('/api/workspaces', { body: { name } }))
}

function changeWorkspace(id: string, body: WorkspaceChanges): Promise<WorkspaceSettings> {
  return unwrap(client.PATCH('/api/workspaces/{id}', { params: { path: { id } }, body }))
}

export async function deleteWorkspace(id: string): Promise<void> {
  await unwrap(client.DELETE('/api/workspaces/{id}', { params: { path: { id } } }))
}

function fetchAudit(id: string, page: { limit: number; offset: number }, signal?: AbortSignal): Promise<AuditPage> {
  return unwrap(client.GET('/api/workspaces/{id}/audit', { params: { path: { id }, query: page }, signal }))
}

/** Where a workspace can be downloaded. */
export function workspaceExportUrl(id: string): string {
  return `/api/workspaces/${id}/export`
}
