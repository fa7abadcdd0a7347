import type { components } from './schema'
import { client, unwrap } from './client'

export type WorkspaceSettings = components['schemas']['WorkspaceView']
export type WorkspaceChanges = components['schemas']['WorkspaceChangesBody']
export type AuditEvent = components['schemas']['AuditEventView']
type AuditPage = components['schemas']['AuditPage']

export function createWorkspace(name: string): Promise<WorkspaceSettings> {
  return unwrap(client.POST('/api/workspaces', { body: { name } }))
}

export function fetchWorkspace(id: string, signal?: AbortSignal): Promise<WorkspaceSettings> {
  return unwrap(client.GET('/api/workspaces/{id}', { params: { path: { id } }, signal }))
}

export function changeWorkspace(id: string, body: WorkspaceChanges): Promise<WorkspaceSettings> {
  return unwrap(client.PATCH('/api/workspaces/{id}', { params: { path: { id } }, body }))
}

export async function deleteWorkspace(id: string): Promise<void> {
  await unwrap(client.DELETE('/api/workspaces/{id}', { params: { path: { id } } }))
}

export function fetchAudit(id: string, page: { limit: number; offset: number }, signal?: AbortSignal): Promise<AuditPage> {
  return unwrap(client.GET('/api/workspaces/{id}/audit', { params: { path: { id }, query: page }, signal }))
}

/** Where a workspace can be downloaded. */
export function workspaceExportUrl(id: string): string {
  return `/api/workspaces/${id}/export`
}
