// One connection per browser: browsers allow six to a server, and each tab with its own would use them up. The tab that holds
// a lock listens and tells the others; when it closes, the browser gives the lock to the next. A browser that has no locks, as
// none has for an address without TLS, listens in the tabs that are looked at.
import type { NoticeEvent } from '@/api/types'

type Hear = (notice: NoticeEvent) => void

export interface Channel {
  postMessage: (message: NoticeEvent) => void
  onmessage: ((event: MessageEvent<NoticeEvent>) => void) | null
  close: () => void
}

export interface Sharing {
  /** Listens to the server until the signal aborts. Rejects when that is refused. */
  follow: (hear: Hear, signal: AbortSignal) => Promise<void>
  /** Null where the browser lacks it. */
  locks: Pick<LockManager, 'request'> | null
  openChannel: ((name: string) => Channel) | null
}

/** Hears what happens in a workspace, whichever tab listens. Rejects when this tab is to listen and is refused. */
export async function share(workspaceId: string, sharing: Sharing, hear: Hear, signal: AbortSignal): Promise<void> {
  const { follow, locks, openChannel } = sharing
  if (locks === null || openChannel === null) return alone(follow, hear, signal)
  const name = `baton.live.${workspaceId}`
  let hasLed = false as boolean
  const channel = openChannel(name)
  channel.onmessage = ({ data }) => {
    // Between closing and being closed, a tab may hear its successor.
    if (!signal.aborted) hear(data)
  }
  const tell = (notice: NoticeEvent) => {
    hear(notice)
    if (!signal.aborted) channel.postMessage(notice)
  }
  const lead = () => {
    hasLed = true
    return follow(tell, signal)
  }
  const succeed = () => {
    // Between two leaders nobody listened.
    tell({ type: 'reset' })
    return lead()
  }
  try {
    await locks.request(name, { ifAvailable: true }, (lock) => (lock === null ? undefined : lead()))
    if (!hasLed) await locks.request(name, { signal }, succeed)
  } catch (error) {
    if (signal.aborted) return
    if (hasLed) throw error
    // Locks are there and not to be had, as where storage is blocked.
  } finally {
    channel.onmessage = null
    channel.close()
  }
  if (!hasLed) await alone(follow, hear, signal)
}

async function alone(follow: Sharing['follow'], hear: Hear, signal: AbortSignal): Promise<void> {
  let hasListened = false
  await whileVisible((looking) => {
    // While nobody looked, nobody listened.
    if (hasListened) hear({ type: 'reset' })
    hasListened = true
    return follow(hear, looking)
  }, signal)
}

/** Runs as long as someone looks at the tab, and again when they come back; until it ends by itself or `whole` aborts. */
async function whileVisible(run: (signal: AbortSignal) => Promise<void>, whole: AbortSignal): Promise<void> {
  while (await isLookedAt(whole)) {
    const looking = new AbortController()
    const look = () => {
      if (document.visibilityState === 'hidden') looking.abort()
    }
    document.addEventListener('visibilitychange', look, { signal: looking.signal })
    try {
      await run(AbortSignal.any([whole, looking.signal]))
      if (!looking.signal.aborted) return
    } finally {
      looking.abort()
    }
  }
}

/** Resolves when the tab is looked at, or with false when it doesn't matter any more. */
function isLookedAt(whole: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const settled = new AbortController()
    const look = () => {
      if (!whole.aborted && document.visibilityState === 'hidden') return
      settled.abort()
      resolve(!whole.aborted)
    }
    document.addEventListener('visibilitychange', look, { signal: settled.signal })
    whole.addEventListener('abort', look, { signal: settled.signal })
    look()
  })
}
