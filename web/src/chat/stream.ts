// A conversation's connection: the answer to a request that begins a turn, and what goes on from a cursor when that breaks. It
// is open only while a turn runs and someone looks: browsers allow six connections to a server, for all tabs together.
import { type EventBody, followConversation } from '@/api/chat'
import { ApiError, errorFromFailure } from '@/api/errors'
import { readEvents, type ServerEvent } from '@/api/event-stream'
import type { StreamEvent } from '@/api/types'
import { backoff, pause } from '@/live/backoff'
import { isLive } from '@/live/workspace-events'
import { type Release, takeSlot } from './connection-slots'
import type { ChatStore } from './store'

/** A turn that waits for a person is left alone after this long; notices tell when it goes on. */
const RELEASE_MS = 2_000
/** Whoever comes back after this long without an event can't trust the connection. */
const STALE_MS = 20_000
/** While all lines are taken, what was said is fetched in glances: so long, and so long apart. */
const GLANCE_MS = 300
const BETWEEN_GLANCES_MS = 1_000
const GLANCED = 'glanced'
/** Where a conversation begins. Without a place to go on from, a stream tells only what is still to come. */
const FIRST = '0.0'

interface StreamEvents {
  /** An answer to a request that begins a turn has begun. */
  onSession: (conversationId: string) => void
  /** The cursor means nothing any more. */
  onReset: () => Promise<void>
  /** Nothing is open any more, and the turn is over or waits. */
  onQuiet: () => void
  /** The conversation isn't there for this person any more. Nothing is open any more, and no use asking again. */
  onRefused: (error: ApiError) => void
}

export class ChatStream {
  /** Of everything that is open; null when nothing is. */
  private whole: AbortController | null = null
  /** Of the connection under way. */
  private connection: AbortController | null = null
  private release: ReturnType<typeof setTimeout> | undefined
  private lastHeard = 0

  constructor(
    private readonly store: ChatStore,
    private readonly on: StreamEvents,
  ) {}

  get isOpen(): boolean {
    return this.whole !== null
  }

  /** Begins a turn and returns when its answer has begun; the rest is read meanwhile. */
  async begin(open: (signal: AbortSignal) => Promise<EventBody>): Promise<void> {
    this.whole?.abort()
    const whole = new AbortController()
    this.whole = whole
    // What ended a turn that waited isn't in the answer.
    const hasGap = this.store.view.state.turn === 'waiting'
    const line = await takeSlot()
    try {
      const events = readEvents(await open(this.connect(whole)))
      const first = await events.next()
      if (first.done === true) throw errorFromFailure('the answer ended before it began')
      this.hear(first.value)
      if (hasGap) await events.return(undefined)
      else if (line === null) this.glance()
      void this.rest(whole, hasGap ? null : events, line)
    } catch (error) {
      line?.()
      if (this.whole === whole) this.whole = null
      throw error instanceof ApiError || whole.signal.aborted ? error : errorFromFailure(error)
    }
  }

  /** Goes on from the cursor until the turn is over. */
  follow(): void {
    if (this.whole !== null || this.store.view.conversationId === null || isUnseen()) return
    this.whole = new AbortController()
    void this.rest(this.whole, null, null)
  }

  close(): void {
    this.whole?.abort()
    this.whole = null
    clearTimeout(this.release)
    if (this.store.view.connection !== 'online') this.store.set({ connection: 'online' })
  }

  /** Nobody looks: what is said meanwhile is heard when someone does. A message on its way is let through. */
  leave(): void {
    if (this.whole !== null && this.store.view.sending === null && !this.store.view.isBeginning) this.close()
  }

  /** The person or the network is back: a connection that has been silent is made anew. */
  check(): void {
    if (Date.now() - this.lastHeard > STALE_MS) this.connection?.abort()
  }

  private async rest(whole: AbortController, events: AsyncGenerator<ServerEvent> | null, line: Release | null): Promise<void> {
    const isOver = events !== null && (await this.read(events).catch(() => false))
    line?.()
    if (events === null || (!isOver && this.wantsMore())) await this.keepFollowing(whole)
    if (this.whole !== whole) return
    this.close()
    this.on.onQuiet()
  }

  private async keepFollowing(whole: AbortController): Promise<void> {
    let failures = 0
    const isClosed = () => whole.signal.aborted
    while (!isClosed()) {
      const line = await takeSlot()
      try {
        const { conversationId, state } = this.store.view
        if (conversationId === null) return
        const body = await followConversation(conversationId, state.cursor ?? (state.messages.length === 0 ? FIRST : null), this.connect(whole))
        if (line === null) this.glance()
        if (this.store.view.connection !== 'online') this.store.set({ connection: 'online' })
        this.releaseSoon()
        const cursor = state.cursor
        if (await this.read(readEvents(body))) return
        if (this.store.view.state.cursor !== cursor) failures = 0
      } catch (error) {
        if (isClosed()) return
        if (error instanceof ApiError && [401, 403, 404, 410].includes(error.status)) {
          this.close()
          this.on.onRefused(error)
          return
        }
      } finally {
        line?.()
      }
      if (!this.wantsMore()) return
      if (this.connection?.signal.reason === GLANCED) {
        await pause(BETWEEN_GLANCES_MS, whole.signal)
        continue
      }
      failures++
      this.store.set({ connection: navigator.onLine ? 'reconnecting' : 'offline' })
      await pause(backoff(failures), whole.signal)
    }
  }

  /** Whether what was read ended the turn. */
  private async read(events: AsyncGenerator<ServerEvent>): Promise<boolean> {
    for await (const heard of events) {
      const type = this.hear(heard)
      if (type === 'reset') await this.on.onReset()
      if (type === 'reset' || type === 'lagged') return false
      // A turn that waited may end before the one that a message begins.
      if (type === 'done' && this.store.view.sending === null) return true
      this.releaseSoon()
    }
    return false
  }

  private hear({ id, data }: ServerEvent): StreamEvent['type'] {
    const event = JSON.parse(data) as StreamEvent
    this.lastHeard = Date.now()
    this.store.hear({ cursor: id, event, at: new Date() })
    if (event.type === 'session') this.on.onSession(event.conversationId)
    if (isUnseen()) this.leave()
    return event.type
  }

  private wantsMore(): boolean {
    const { state, sending } = this.store.view
    return state.turn === 'running' || sending !== null || (state.turn === 'waiting' && !isLive())
  }

  /** Without a line: long enough to hear what has been said, no longer. */
  private glance(): void {
    const { connection } = this
    setTimeout(() => {
      connection?.abort(GLANCED)
    }, GLANCE_MS)
  }

  private connect(whole: AbortController): AbortSignal {
    const connection = new AbortController()
    this.connection = connection
    this.lastHeard = Date.now()
    return AbortSignal.any([whole.signal, connection.signal])
  }

  private releaseSoon(): void {
    clearTimeout(this.release)
    if (this.store.view.state.turn !== 'waiting' || !isLive()) return
    this.release = setTimeout(() => {
      if (this.store.view.state.turn === 'waiting' && this.store.view.sending === null) this.close()
    }, RELEASE_MS)
  }
}

function isUnseen(): boolean {
  return document.visibilityState === 'hidden'
}
