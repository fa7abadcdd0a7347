import { client, unwrap } from './client'
import type { Approval } from './types'

export interface ApprovalFilters {
  status?: Approval['status']
  conversationId?: string
  limit?: number
}

export async function fetchApprovals(workspaceId: string, filters: ApprovalFilters = {}, signal?: AbortSignal): Promise<Approval[]> {
  const { approvals } = await unwrap(client.GET('/api/approvals', { params: { query: { workspaceId, ...filters } }, signal }))
  return approvals
}

/** `args` are others to run the tool with; `always` allows the tool for the rest of the conversation. */
export function approve(id: string, { args, always }: { args?: unknown; always?: boolean } = {}): Promise<Approval> {
  const body = {
    ...(args === undefined ? {} : { arguments: args as Record<string, never> }),
    ...(always === true ? { remember: true } : {}),
  }
  return unwrap(client.POST('/api/approvals/{id}/approve', { params: { path: { id } }, body }))
}

/** `reason` is what the agent is told. */
export function reject(id: string, reason?: string): Promise<Approval> {
  const body = reason === undefined || reason === '' ? {} : { reason }
  return unwrap(client.POST('/api/approvals/{id}/reject', { params: { path: { id } }, body }))
}
