import { client, unwrap } from './client'
import type { Approval } from './types'

/** What waits for this person's decision, the newest first. */
export async function fetchPendingApprovals(workspaceId: string, signal?: AbortSignal): Promise<Approval[]> {
  const query = { workspaceId, status: 'pending' as const, limit: 100 }
  return (await unwrap(client.GET('/api/approvals', { params: { query }, signal }))).approvals
}

export type Decision = { kind: 'approve' } | { kind: 'reject'; reason?: string }

export function decideApproval(id: string, decision: Decision): Promise<Approval> {
  const params = { path: { id } }
  if (decision.kind === 'approve') return unwrap(client.POST('/api/approvals/{id}/approve', { params, body: {} }))
  return unwrap(client.POST('/api/approvals/{id}/reject', { params, body: { reason: decision.reason } }))
}
