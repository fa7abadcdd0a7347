// Stays connected to /api/events. It repeats nothing, so what was said before a connection that isn't the first try was
// missed: a `reset`, read again.
import { followWorkspace } from '@/api/chat'
import { ApiError } from '@/api/errors'
import { readEvents } from '@/api/event-stream'
import type { NoticeEvent } from '@/api/types'
import { backoff, pause } from './backoff'

/** Until the signal aborts. Rejects when the server refuses: trying again wouldn't help. */
export async function followNotices(workspaceId: string, hear: (notice: NoticeEvent) => void, signal: AbortSignal): Promise<void> {
  let failures = 0
  for (let isFirstTry = true; !signal.aborted; isFirstTry = false) {
    try {
      const body = await followWorkspace(workspaceId, signal)
      if (!isFirstTry) hear({ type: 'reset' })
      for await (const { data } of readEvents(body)) {
        failures = 0
        hear(JSON.parse(data) as NoticeEvent)
      }
    } catch (error) {
      if (isRefused(error)) throw error
    }
    failures++
    await pause(backoff(failures), signal)
  }
}

function isRefused(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429 && error.status !== 408
}
