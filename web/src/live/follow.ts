// Stays connected to /api/events. It repeats nothing, so every new connection begins with a `reset`: read again.
import { followWorkspace } from '@/api/chat'
import { ApiError } from '@/api/errors'
import type { NoticeEvent } from '@/api/types'
import { readEvents } from '@/chat/sse'
import { backoff, pause } from '@/lib/backoff'

export async function followNotices(workspaceId: string, hear: (notice: NoticeEvent) => void, signal: AbortSignal): Promise<void> {
  let failures = 0
  let isFirst = true
  while (!signal.aborted) {
    try {
      const body = await followWorkspace(workspaceId, signal)
      if (!isFirst) hear({ type: 'reset' })
      isFirst = false
      for await (const { data } of readEvents(body)) {
        failures = 0
        hear(JSON.parse(data) as NoticeEvent)
      }
    } catch (error) {
      if (isRefused(error)) return
    }
    failures++
    await pause(backoff(failures), signal)
  }
}

function isRefused(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429 && error.status !== 408
}
