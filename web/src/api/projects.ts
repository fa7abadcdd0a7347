// Projects beyond their rows: how far they are, and the secret address under which a calendar reads what is due.
import { client, unwrap } from './client'
import type { components } from './schema'

type Schemas = components['schemas']

export type ProjectProgress = Schemas['ProjectProgressView']
export type NewCalendarAddress = Schemas['NewCalendarAddress']

/** What is late is so by the person's own day. */
export async function fetchProgress(workspaceId: string, signal?: AbortSignal): Promise<ProjectProgress[]> {
  return (await unwrap(client.GET('/api/data/projects/progress', { params: { query: { workspaceId } }, signal }))).projects
}

export function makeCalendarAddress(workspaceId: string): Promise<NewCalendarAddress> {
  return unwrap(client.POST('/api/workspaces/{id}/calendar-address', { params: { path: { id: workspaceId } } }))
}

export async function revokeCalendarAddress(workspaceId: string): Promise<void> {
  await unwrap(client.DELETE('/api/workspaces/{id}/calendar-address', { params: { path: { id: workspaceId } } }))
}
