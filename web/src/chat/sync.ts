// How an open conversation keeps up with the server: it is read at first, followed while a turn runs, and looked at again
// whenever something may have happened that no stream here tells.
import { isGone } from '@/api/errors'
import type { NoticeEvent } from '@/api/types'
import { backoff, pause } from '@/live/backoff'
import { isLive, onNotice } from '@/live/workspace-events'
import type { Reading } from './reading'
import { asError, NEVER } from './retry'
import type { Sending } from './sending'
import type { ChatStore } from './store'
import type { ChatStream } from './stream'

export class Sync {
  private started: AbortController | null = null

  constructor(
    private readonly store: ChatStore,
    private readonly reading: Reading,
    private readonly stream: ChatStream,
    private readonly sending: Sending,
  ) {}

  /** Nobody looks at the conversation here any more. */
  get isAway(): boolean {
    return this.started?.signal.aborted ?? true
  }

  /** Reads the conversation and keeps up with it until the returned function is called. */
  start(): () => void {
    const started = new AbortController()
    this.started = started
    const { signal } = started
    const look = () => {
      if (document.visibilityState === 'hidden') this.stream.leave()
      else this.comeBack()
    }
    window.addEventListener('online', look, { signal })
    document.addEventListener('visibilitychange', look, { signal })
    const forget = onNotice((notice) => {
      this.notice(notice)
    })
    if (this.store.view.conversationId === null) void this.sending.next()
    else void this.load()
    return () => {
      started.abort()
      forget()
      // A message on its way is let through: its turn runs on the server, whoever looks.
      if (!this.store.view.isBeginning) this.stream.close()
    }
  }

  async load(): Promise<void> {
    if (await this.reading.load(this.started?.signal)) this.goOn()
  }

  read(): Promise<void> {
    return this.reading.again(this.started?.signal)
  }

  /** Something happened that no stream here tells: looks, and goes on with what runs. */
  catchUp(): void {
    const { isBeginning, isLoading, conversationId, loadError } = this.store.view
    if (isGone(loadError) || this.stream.isOpen || isBeginning || isLoading || conversationId === null || this.isAway) return
    this.read().then(
      () => {
        this.goOn()
      },
      this.missed,
    )
  }

  /** Not at once: if a turn has just ended, or is another process's to end, asking again and again helps nobody. */
  async catchUpSoon(): Promise<void> {
    await pause(backoff(1), this.started?.signal ?? NEVER)
    this.catchUp()
  }

  /** After a failed turn, what waits is sent when the person writes or tries again. */
  goOn(): void {
    const { loadError, state } = this.store.view
    const { turn, problem } = state
    if (isGone(loadError)) return
    // What was refused before this turn is no news any more.
    if (turn === 'running') this.store.set({ error: null })
    if (turn === 'running' || (turn === 'waiting' && !isLive())) this.stream.follow()
    if (turn === 'none' && problem === null) void this.sending.next()
  }

  /** A turn is over or waits: what isn't streamed, such as the title and what messages cost, is read. */
  async settle(): Promise<void> {
    if (this.isAway) return
    await this.read().catch(this.missed)
    this.goOn()
  }

  /** What could not be read is read at the next occasion, unless it was deleted. */
  private readonly missed = (error: unknown): void => {
    if (isGone(error)) this.store.lose(asError(error))
  }

  private notice(notice: NoticeEvent): void {
    const { conversationId, state } = this.store.view
    // A conversation that began or went may be a version of this one: which ones are isn't said.
    if (notice.type === 'reset' || notice.type === 'conversation_changed') {
      this.catchUp()
      return
    }
    if (!('conversationId' in notice) || notice.conversationId !== conversationId) return
    const isKnown = 'sessionId' in notice && notice.sessionId === state.sessionId
    if (notice.type === 'turn_started' && isKnown) return
    if (notice.type === 'turn_ended' && isKnown && state.turn === 'none') return
    this.catchUp()
  }

  private comeBack(): void {
    const { loadError } = this.store.view
    if (loadError !== null && !isGone(loadError)) void this.load()
    this.stream.check()
    if (this.store.view.state.turn === 'running') this.stream.follow()
    if (!isLive()) this.catchUp()
  }
}
