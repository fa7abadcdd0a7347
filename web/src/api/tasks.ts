import { client, unwrap } from './client'
import type { TaskTree, Transitions } from './types'

/** The whole chain that a task belongs to. */
export function fetchTask(id: string, signal?: AbortSignal): Promise<TaskTree> {
  return unwrap(client.GET('/api/tasks/{id}', { params: { path: { id } }, signal }))
}

export function fetchTransitions(workspaceId: string, days: number, signal?: AbortSignal): Promise<Transitions> {
  return unwrap(client.GET('/api/agents/transitions', { params: { query: { workspaceId, days, limit: 50 } }, signal }))
}
