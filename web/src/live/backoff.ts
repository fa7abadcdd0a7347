// How long to wait before the next try, and a wait that can be cut short.
import { onNotice } from './workspace-events'

const FIRST_MS = 500
const LONGEST_MS = 15_000

/** Doubles with each failure. Half of it is chance, so that a thousand clients don't come back in the same moment. */
export function backoff(failures: number, random: () => number = Math.random): number {
  const full = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.max(0, failures - 1))
  return full / 2 + (full / 2) * random()
}

/** Resolves after a while, when the network or the server is back, when the page is looked at again, or when `signal` aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = () => {
      clearTimeout(timer)
      window.removeEventListener('online', over)
      document.removeEventListener('visibilitychange', seen)
      signal.removeEventListener('abort', over)
      forget()
      resolve()
    }
    const seen = () => {
      if (document.visibilityState === 'visible') over()
    }
    // Notices come in again: whatever else failed meanwhile is worth another try.
    const forget = onNotice(({ type }) => {
      if (type === 'reset') over()
    })
    const timer = setTimeout(over, ms)
    window.addEventListener('online', over)
    document.addEventListener('visibilitychange', seen)
    signal.addEventListener('abort', over)
    if (signal.aborted) over()
  })
}
