import { ApiError } from '@/api/errors'
import { backoff, pause } from '@/live/backoff'

/** How often a message is sent again that got no answer. */
const TRIES = 5

export const NEVER = new AbortController().signal

/** Tries again what got no answer, and what a server refused because it is about to end. Only for what the server does once however often it is asked. */
export async function withRetries(attempt: () => Promise<void>, onWait: () => void = () => undefined): Promise<void> {
  for (let failures = 1; ; failures++) {
    try {
      await attempt()
      return
    } catch (error) {
      if (!isPassing(error) || failures === TRIES) throw error
    }
    onWait()
    await pause(backoff(failures), NEVER)
  }
}

function isPassing(error: unknown): boolean {
  return error instanceof ApiError && ([0, 502, 504].includes(error.status) || ['server_ending', 'unavailable'].includes(error.code))
}

export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
