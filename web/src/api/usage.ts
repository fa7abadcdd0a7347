import { ApiError, errorFromFailure, errorFromResponse } from './errors'

export interface UsageAmounts {
  input_tokens: number
  output_tokens: number
  /** Null when a model without a known price took part. */
  cost_usd: number | null
  turns: number
}

export interface UsageDay extends UsageAmounts {
  /** `2026-11-15`, a day of the workspace's time zone. */
  date: string
}

/** To be replaced by the generated type once the schema has it. */
export interface UsageReport {
  days: UsageDay[]
  total: UsageAmounts
}

/** Null where the server doesn't count by day. */
export async function fetchUsage(workspaceId: string, days: number, signal?: AbortSignal): Promise<UsageReport | null> {
  const query = new URLSearchParams({ workspaceId, days: String(days) })
  const url = new URL(`/api/agents/usage?${query.toString()}`, window.location.origin)
  const request = new Request(url, { headers: { Accept: 'application/json' }, credentials: 'same-origin', signal })
  try {
    return await answer(request)
  } catch (error) {
    // A server without this route takes `usage` for an agent's id and refuses it as one.
    if (error instanceof ApiError && (error.status === 404 || error.status === 400)) return null
    throw error
  }
}

async function answer(request: Request): Promise<UsageReport> {
  const response = await globalThis.fetch(request).catch((cause: unknown) => {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause
    throw errorFromFailure(cause)
  })
  const body: unknown = await response.json().catch(() => undefined)
  if (!response.ok) throw errorFromResponse(response, body)
  return body as UsageReport
}
