// A conversation that is open in this tab: what a person can do with it, and how it keeps up with the server.
import * as approvals from '@/api/approvals'
import { postRetry, stopTurn } from '@/api/chat'
import { createConversation } from '@/api/conversations'
import { isGone } from '@/api/errors'
import type { NoticeEvent } from '@/api/types'
import { backoff, pause } from '@/lib/backoff'
import { isLive, onNotice } from '@/live/notices'
import { EMPTY } from './fold'
import { askedBefore, edited, fork, type Instead } from './forking'
import { beginning, queuePlace, type ChatPlace } from './place'
import { readQueue, writeQueue } from './queue'
import { Reading } from './reading'
import { asError, NEVER } from './repeated'
import { Sending } from './sending'
import { ChatStore } from './store'
import { ChatStream } from './stream'
import { switchTo } from './switching'
import type { AgentMessage } from './types'

interface ChatCallbacks {
  onConversationCreated?: (id: string) => void
  onForked?: (id: string) => void
  onError?: (error: Error) => void
}

export class ChatSession {
  readonly store: ChatStore
  readonly sending: Sending
  readonly reading: Reading
  private callbacks: ChatCallbacks = {}
  private readonly stream: ChatStream
  private isStopWanted = false
  private started: AbortController | null = null

  constructor(
    readonly place: ChatPlace,
    initialMessages: AgentMessage[] = [],
  ) {
    const { conversationId } = place
    this.store = new ChatStore({
      conversationId,
      state: { ...EMPTY, messages: initialMessages },
      isLoading: conversationId !== null && initialMessages.length === 0,
      queue: readQueue(queuePlace(place, conversationId)),
    })
    this.reading = new Reading(this.store)
    this.stream = new ChatStream(this.store, {
      onSession: (id) => {
        this.became(id)
      },
      onReset: () => {
        this.store.setState({ cursor: null })
        return this.read()
      },
      onQuiet: () => {
        void this.settle()
      },
      onRefused: (error) => {
        this.store.setState({ turn: 'none' })
        this.fail(error)
      },
    })
    this.sending = new Sending(place, this.store, this.stream, {
      isAway: () => this.isAway,
      onBusy: () => {
        // Not at once: if that turn has just ended, or is another process's to end, asking again and again helps nobody.
        void pause(backoff(1), this.started?.signal ?? NEVER).then(() => {
          this.catchUp()
        })
      },
      onFailed: (error) => {
        this.fail(error)
      },
    })
  }

  listen(callbacks: ChatCallbacks): void {
    this.callbacks = callbacks
  }

  /** Reads the conversation and keeps up with it until the returned function is called. */
  start(): () => void {
    const started = new AbortController()
    this.started = started
    const { signal } = started
    const back = () => {
      if (document.visibilityState === 'visible') this.comeBack()
    }
    window.addEventListener('online', back, { signal })
    document.addEventListener('visibilitychange', back, { signal })
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

  readonly reload = (): void => {
    this.store.set({ isLoading: true, error: null })
    void this.load()
  }

  /** Asks the server to stop; the stream says when it has. */
  readonly stop = (): void => {
    const { conversationId, isBeginning, state } = this.store.view
    if (conversationId === null || isBeginning) {
      this.isStopWanted = isBeginning
      return
    }
    stopTurn(conversationId).then(
      () => {
        if (state.turn !== 'none') this.stream.follow()
      },
      (error: unknown) => {
        this.fail(asError(error))
      },
    )
  }

  readonly retry = async (): Promise<void> => {
    const { conversationId } = this.store.view
    if (conversationId === null || this.sending.isBusy) return
    this.store.set({ isBeginning: true, error: null })
    try {
      await this.stream.begin((signal) => postRetry(conversationId, signal))
    } catch (error) {
      // It may have begun all the same, here or in another tab.
      await this.read().catch(() => undefined)
      if (this.store.view.state.turn === 'none') throw error
      this.goOn()
    } finally {
      this.store.set({ isBeginning: false })
    }
  }

  readonly approve = (id: string, options?: { args?: unknown; always?: boolean }): Promise<void> => this.decide(approvals.approve(id, options))

  readonly reject = (id: string, reason?: string): Promise<void> => this.decide(approvals.reject(id, reason))

  /** `nameOf`: what the app calls an agent, until the server says it. */
  readonly switchAgent = async (agentId: string, nameOf: (agentId: string) => string | undefined): Promise<void> => {
    const conversationId = this.store.view.conversationId ?? (await this.create())
    await switchTo(this.store, conversationId, agentId, nameOf(agentId))
    if (!this.stream.isOpen) await this.read().catch(() => undefined)
  }

  readonly edit = (messageId: string, content: string): Promise<void> =>
    this.fork(edited(this.store.view.state.messages, messageId, content))

  readonly regenerate = (messageId: string): Promise<void> => this.fork(askedBefore(this.store.view.state.messages, messageId))

  readonly clear = (): void => {
    this.stream.close()
    this.store.set(new ChatStore({}).view)
  }

  readonly setMessages = (messages: AgentMessage[]): void => {
    this.store.setState({ messages })
  }

  readonly dismissSuggestion = (): void => {
    this.store.setState({ suggestion: null })
  }

  private async load(): Promise<void> {
    if (await this.reading.load(this.started?.signal)) this.goOn()
  }

  private read(): Promise<void> {
    return this.reading.again(this.started?.signal)
  }

  /** The page goes to the new version and reads the answer there. */
  private async fork(instead: Instead | undefined): Promise<void> {
    const { conversationId } = this.store.view
    if (conversationId === null || instead === undefined) return
    this.callbacks.onForked?.(await fork(this.place, conversationId, instead))
  }

  private async decide(decision: Promise<unknown>): Promise<void> {
    try {
      await decision
    } catch (error) {
      this.catchUp()
      throw error
    }
    this.stream.follow()
  }

  private async create(): Promise<string> {
    const { id } = await createConversation({ workspaceId: this.place.workspaceId, ...beginning(this.place) })
    this.became(id)
    await this.read()
    return id
  }

  /** The server has answered for this conversation, which may be new. */
  private became(id: string): void {
    const isNew = this.store.view.conversationId === null
    if (isNew) writeQueue(queuePlace(this.place, null), [])
    this.store.set({ conversationId: id, isBeginning: false, connection: 'online' })
    this.sending.keep()
    if (isNew) this.callbacks.onConversationCreated?.(id)
    if (this.isStopWanted) this.stop()
    this.isStopWanted = false
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
    if (this.store.view.loadError !== null) void this.load()
    this.stream.check()
    if (!isLive()) this.catchUp()
  }

  /** Something happened that no stream here tells: looks, and goes on with what runs. */
  private catchUp(): void {
    const { isBeginning, isLoading, conversationId } = this.store.view
    if (this.stream.isOpen || isBeginning || isLoading || conversationId === null || this.isAway) return
    this.read().then(
      () => {
        this.goOn()
      },
      (error: unknown) => {
        if (isGone(error)) this.store.set({ loadError: asError(error) })
      },
    )
  }

  /** After a failed turn, what waits is sent when the person writes or tries again. */
  private goOn(): void {
    const { turn, problem } = this.store.view.state
    if (turn === 'running' || (turn === 'waiting' && !isLive())) this.stream.follow()
    if (turn === 'none' && problem === null) void this.sending.next()
  }

  /** A turn is over or waits: what isn't streamed, such as the title and what messages cost, is read. */
  private async settle(): Promise<void> {
    if (this.isAway) return
    await this.read().catch(() => undefined)
    this.goOn()
  }

  private fail(error: Error): void {
    this.store.set({ error })
    this.callbacks.onError?.(error)
  }

  private get isAway(): boolean {
    return this.started?.signal.aborted ?? true
  }
}
