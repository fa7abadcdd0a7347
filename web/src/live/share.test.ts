import { describe, expect, it } from 'vitest'
import type { NoticeEvent } from '@/api/types'
import { look } from '@/testing/visibility'
import { type Channel, share, type Sharing } from './share'

const NOTICE: NoticeEvent = { type: 'workspace_changed' }
const settled = () => new Promise((resolve) => setTimeout(resolve, 5))

/** A browser: locks and channels that its tabs share, and a server that counts connections. */
function browser() {
  const channels = new Set<Channel>()
  const waiting: (() => void)[] = []
  let isHeld = false
  const hearers = new Set<(notice: NoticeEvent) => void>()

  const request = async (_: string, options: LockOptions, callback: (lock: Lock | null) => unknown): Promise<unknown> => {
    await Promise.resolve()
    if (isHeld && options.ifAvailable === true) return callback(null)
    while (isHeld) {
      await new Promise<void>((resolve, reject) => {
        waiting.push(resolve)
        options.signal?.addEventListener('abort', () => {
          waiting.splice(waiting.indexOf(resolve), 1)
          reject(new DOMException('', 'AbortError'))
        })
      })
    }
    isHeld = true
    try {
      return await callback({ name: _, mode: 'exclusive' })
    } finally {
      isHeld = false
      waiting.shift()?.()
    }
  }

  const sharing: Sharing = {
    locks: { request: request as LockManager['request'] },
    openChannel: () => {
      const channel: Channel = {
        onmessage: null,
        postMessage: (data) => {
          for (const other of channels) if (other !== channel) other.onmessage?.({ data } as MessageEvent<NoticeEvent>)
        },
        close: () => channels.delete(channel),
      }
      channels.add(channel)
      return channel
    },
    follow: (hear, signal) => {
      hearers.add(hear)
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          hearers.delete(hear)
          resolve()
        })
      })
    },
  }

  return {
    connections: () => hearers.size,
    say: (notice: NoticeEvent) => {
      hearers.forEach((hear) => {
        hear(notice)
      })
    },
    openTab: (changes: Partial<Sharing> = {}) => {
      const controller = new AbortController()
      const heard: NoticeEvent['type'][] = []
      const over = share('w', { ...sharing, ...changes }, ({ type }) => heard.push(type), controller.signal)
      over.catch(() => undefined)
      return {
        heard,
        over,
        close: () => {
          controller.abort()
          return over
        },
      }
    },
  }
}

describe('share', () => {
  it('uses one connection, and every tab hears each notice once', async () => {
    const { openTab, say, connections } = browser()
    const tabs = [openTab(), openTab(), openTab()]
    await settled()
    expect(connections()).toBe(1)
    say(NOTICE)
    expect(tabs.map(({ heard }) => heard)).toEqual([['workspace_changed'], ['workspace_changed'], ['workspace_changed']])
  })

  it('another tab takes over when the leader closes, and all read again what they may have missed', async () => {
    const { openTab, say, connections } = browser()
    const [leader, second, third] = [openTab(), openTab(), openTab()]
    await settled()
    await leader.close()
    await settled()
    expect(connections()).toBe(1)
    say(NOTICE)
    expect([leader.heard, second.heard, third.heard]).toEqual([[], ['reset', 'workspace_changed'], ['reset', 'workspace_changed']])
  })

  it('a tab that waits and closes is not asked to lead', async () => {
    const { openTab, connections } = browser()
    const [leader, second, third] = [openTab(), openTab(), openTab()]
    await settled()
    await second.close()
    await leader.close()
    await settled()
    expect(connections()).toBe(1)
    await third.close()
    expect(connections()).toBe(0)
  })

  it('a tab that is refused says so and leads no longer, and the next one tries', async () => {
    const { openTab, connections } = browser()
    const refused = { follow: () => Promise.reject(new Error('refused')) }
    const [leader, second, third] = [openTab(refused), openTab(refused), openTab()]
    await expect(leader.over).rejects.toThrow('refused')
    await expect(second.over).rejects.toThrow('refused')
    await settled()
    expect([connections(), third.heard]).toEqual([1, ['reset', 'reset']])
    await third.close()
  })

  const blocked = { request: () => Promise.reject(new DOMException('', 'SecurityError')) } as Sharing['locks']
  it.each([{ locks: null }, { openChannel: null }, { locks: blocked }])('a browser without %o has a connection per tab that is looked at', async (lacks) => {
    const { openTab, say, connections } = browser()
    const tabs = [openTab(lacks), openTab(lacks)]
    await settled()
    expect(connections()).toBe(2)
    say(NOTICE)
    expect(tabs.map(({ heard }) => heard)).toEqual([['workspace_changed'], ['workspace_changed']])
    look('hidden')
    await settled()
    expect(connections()).toBe(0)
    look('visible')
    await settled()
    expect(connections()).toBe(2)
    expect(tabs.map(({ heard }) => heard.at(-1)), 'what happened meanwhile was missed').toEqual(['reset', 'reset'])
    look('hidden')
    await Promise.all(tabs.map((tab) => tab.close()))
    look('visible')
    await settled()
    expect(connections()).toBe(0)
  })
})
