import { client, unwrap } from './client'
import type { UsageReport } from './types'

/** Tokens and cost, day by day up to today. */
export function fetchUsage(workspaceId: string, days: number, signal?: AbortSignal): Promise<UsageReport> {
  return unwrap(client.GET('/api/agents/usage', { params: { query: { workspaceId, days } }, signal }))
}
