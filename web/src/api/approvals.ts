import { client, unwrap } from './client'
import type { Approval } from './types'

/** What waits for this person's decision, the newest first. */
export async function fetchPendingApprovals(workspaceId: string, signal?: AbortSignal): Promise<Approval[]> {
  const query = { workspaceId, status: 'pending' as const, limit: 100 }
  return (await unwrap(client.GET('/api/approvals', { params: { query }, signal }))).approvals
}

/** Browsers keep requests of up to 64 KiB alive when their page is left; a character is at most three bytes. */
const KEPT_ALIVE = 20_000

/** A decision is shown before the server has it: it is sent to its end, also if the page is left at once. */
function lasting<Body>(body: Body) {
  return { body, keepalive: JSON.stringify(body).length < KEPT_ALIVE }
}

/** `args` are others to run the tool with; `always` allows the tool for the rest of the conversation. */
export function approve(id: string, { args, always }: { args?: unknown; always?: boolean } = {}): Promise<Approval> {
  const body = {
    ...(args === undefined ? {} : { arguments: args as Record<string, never> }),
    ...(always === true ? { remember: true } : {}),
  }
  return unwrap(client.POST('/api/approvals/{id}/approve', { params: { path: { id } }, ...lasting(body) }))
}

/** `reason` is what the agent is told. */
export function reject(id: string, reason?: string): Promise<Approval> {
  const body = reason === undefined || reason === '' ? {} : { reason }
  return unwrap(client.POST('/api/approvals/{id}/reject', { params: { path: { id } }, ...lasting(body) }))
}

export type Decision = { kind: 'approve' } | { kind: 'reject'; reason?: string }

export function decideApproval(id: string, decision: Decision): Promise<Approval> {
  return decision.kind === 'approve' ? approve(id) : reject(id, decision.reason)
}
