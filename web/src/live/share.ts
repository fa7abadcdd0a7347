// One connection per browser: browsers allow six to a server, and each tab with its own would use them up. The tab that holds
// a lock listens and tells the others; when it closes, the browser gives the lock to the next. A browser that has no locks, as
// none has for an address without TLS, listens in the tabs that are looked at.
import type { NoticeEvent } from '@/api/types'
import { whileLookedAt } from './looking'

export interface Channel {
  postMessage: (message: NoticeEvent) => void
  onmessage: ((event: MessageEvent<NoticeEvent>) => void) | null
  close: () => void
}

export interface Sharing {
  /** Listens to the server until the signal aborts. */
  follow: (hear: (notice: NoticeEvent) => void, signal: AbortSignal) => Promise<void>
  /** Null where the browser lacks it. */
  locks: Pick<LockManager, 'request'> | null
  openChannel: ((name: string) => Channel) | null
}

/** Hears what happens in a workspace, whichever tab listens. */
export async function share(workspaceId: string, sharing: Sharing, hear: (notice: NoticeEvent) => void, signal: AbortSignal): Promise<void> {
  const { follow, locks, openChannel } = sharing
  if (locks === null || openChannel === null) {
    let hasListened = false
    await whileLookedAt((looking) => {
      // While nobody looked, nobody listened.
      if (hasListened) hear({ type: 'reset' })
      hasListened = true
      return follow(hear, looking)
    }, signal)
    return
  }
  const name = `baton.live.${workspaceId}`
  const channel = openChannel(name)
  channel.onmessage = ({ data }) => {
    // Between closing and being closed, a tab may hear its successor.
    if (!signal.aborted) hear(data)
  }
  const tell = (notice: NoticeEvent) => {
    hear(notice)
    if (!signal.aborted) channel.postMessage(notice)
  }
  const lead = async () => {
    await follow(tell, signal)
    // Refused: another tab would be too. The lock stays here until this one closes.
    await aborted(signal)
    return true
  }
  const succeed = () => {
    // Between two leaders nobody listened.
    tell({ type: 'reset' })
    return lead()
  }
  try {
    const hasLed = await locks.request(name, { ifAvailable: true }, (lock) => (lock === null ? false : lead()))
    if (!hasLed) await locks.request(name, { signal }, succeed)
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    channel.onmessage = null
    channel.close()
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else
      signal.addEventListener('abort', () => {
        resolve()
      })
  })
}
