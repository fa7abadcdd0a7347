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

/** What a person decides on: a call with the arguments they were shown. */
export interface Shown {
  approvalId: string
  argsHash?: string
}

/** `args` are others to run the tool with; `always` allows the same call for the rest of the conversation. */
export function approve(shown: Shown, { args, always }: { args?: unknown; always?: boolean } = {}): Promise<Approval> {
  const body = {
    args_hash: shown.argsHash ?? '',
    ...(args === undefined ? {} : { arguments: args as Record<string, never> }),
    ...(always === true ? { remember: true } : {}),
  }
  return unwrap(client.POST('/api/approvals/{id}/approve', { params: { path: { id: shown.approvalId } }, ...lasting(body) }))
}

/** `reason` is what the agent is told. */
export function reject(shown: Shown, reason?: string): Promise<Approval> {
  const body = { args_hash: shown.argsHash ?? '', reason: reason === '' ? undefined : reason }
  return unwrap(client.POST('/api/approvals/{id}/reject', { params: { path: { id: shown.approvalId } }, ...lasting(body) }))
}

export type Decision = { kind: 'approve'; args?: unknown; always?: boolean } | { kind: 'reject'; reason?: string }

export function decideApproval({ id, args_hash }: Approval, decision: Decision): Promise<Approval> {
  const shown = { approvalId: id, argsHash: args_hash }
  return decision.kind === 'approve' ? approve(shown, decision) : reject(shown, decision.reason)
}
