// A conversation that is open in this tab, and what a person can do with it.
import * as approvals from '@/api/approvals'
import { postRetry, stopTurn } from '@/api/chat'
import { createConversation } from '@/api/conversations'
import { isGone } from '@/api/errors'
import { askedBefore, edited, fork, type Instead, nothingAsked, wroteSince } from './forking'
import { cutOff } from './message-changes'
import { beginning, type ChatPlace, queuePlace, readQueue, writeQueue } from './message-queue'
import { Reading } from './reading'
import { asError } from './retry'
import { Sending } from './sending'
import { EMPTY } from './state'
import { ChatStore } from './store'
import { ChatStream } from './stream'
import { conversationOf, putAway, switchTo } from './switching'
import { Sync } from './sync'
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
  private readonly sync: Sync

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
        return this.sync.read()
      },
      onQuiet: () => {
        void this.sync.settle()
      },
      onRefused: (error) => {
        if (isGone(error)) this.store.lose(error)
        else {
          this.store.setState(cutOff(this.store.view.state, error))
          if (error.status !== 403) this.store.set({ loadError: error })
        }
        this.callbacks.onError?.(error)
      },
    })
    this.sending = new Sending(place, this.store, this.stream, {
      isAway: () => this.sync.isAway,
      onBusy: () => {
        void this.sync.catchUpSoon()
      },
      onFailed: this.fail,
    })
    this.sync = new Sync(this.store, this.reading, this.stream, this.sending)
  }

  listen(callbacks: ChatCallbacks): void {
    this.callbacks = callbacks
  }

  /** Reads the conversation and keeps up with it until the returned function is called. */
  start(): () => void {
    return this.sync.start()
  }

  readonly reload = (): void => {
    this.store.set({ isLoading: true, error: null })
    void this.sync.load()
  }

  /** Asks the server to stop; the stream says when it has. */
  readonly stop = (): void => {
    const { conversationId, isBeginning, state } = this.store.view
    if (conversationId === null || isBeginning) {
      this.store.set({ isStopWanted: isBeginning })
      return
    }
    this.store.set({ error: null })
    stopTurn(conversationId).then(
      () => {
        if (state.turn !== 'none') this.stream.follow()
      },
      this.fail,
    )
  }

  readonly retry = async (): Promise<void> => {
    const { conversationId } = this.store.view
    if (conversationId === null || this.sending.isBusy) return
    this.store.set({ isBeginning: true, isStopWanted: false, error: null })
    try {
      await this.stream.begin((signal) => postRetry(conversationId, signal))
    } catch (error) {
      // It may have begun all the same, here or in another tab.
      await this.sync.read().catch(() => undefined)
      if (this.store.view.state.turn === 'none') throw error
      this.sync.goOn()
    } finally {
      this.store.set({ isBeginning: false })
    }
  }

  readonly approve = (shown: approvals.Shown, options?: { args?: unknown; always?: boolean }): Promise<void> => this.decide(approvals.approve(shown, options))

  readonly reject = (shown: approvals.Shown, reason?: string): Promise<void> => this.decide(approvals.reject(shown, reason))

  /** `nameOf`: what the app calls an agent, until the server says it. */
  readonly switchAgent = async (agentId: string, nameOf: (agentId: string) => string | undefined): Promise<void> => {
    try {
      const id = this.store.view.conversationId ?? (await conversationOf(this.store, () => this.create()))
      await switchTo(this.store, id, agentId, nameOf(agentId))
    } catch (error) {
      this.sync.goOn()
      throw error
    }
    if (!this.stream.isOpen) await this.sync.settle()
  }

  readonly edit = (messageId: string, content: string): Promise<void> =>
    this.fork(edited(this.store.view.state.messages, messageId, content))

  readonly regenerate = async (messageId: string): Promise<void> =>
    this.fork(await this.reading.back((messages) => askedBefore(messages, messageId)))

  readonly wroteSince = async (messageId: string): Promise<boolean> =>
    (await this.reading.back((messages) => wroteSince(messages, messageId))) ?? false

  readonly clear = (): void => {
    this.stream.close()
    this.sending.keep([])
    this.store.set(new ChatStore({}).view)
  }

  readonly setMessages = (messages: AgentMessage[]): void => {
    this.store.setState({ messages })
  }

  readonly dismissSuggestion = (): void => {
    const { conversationId, state } = this.store.view
    const last = state.messages.at(-1)
    if (conversationId !== null && last !== undefined) putAway(conversationId, last.id)
    this.store.setState({ suggestion: null })
  }

  /** The page goes to the new version and reads the answer there. */
  private async fork(instead: Instead | undefined): Promise<void> {
    const { conversationId } = this.store.view
    if (conversationId === null) return
    if (instead === undefined) throw nothingAsked()
    const id = await fork(this.place, conversationId, instead)
    if (!this.sync.isAway) this.callbacks.onForked?.(id)
  }

  private async decide(decision: Promise<unknown>): Promise<void> {
    try {
      await decision
    } catch (error) {
      this.sync.catchUp()
      throw error
    }
    this.stream.follow()
  }

  private async create(): Promise<string> {
    const { id } = await createConversation({ workspaceId: this.place.workspaceId, ...beginning(this.place) })
    this.became(id)
    await this.sync.read().catch(() => undefined)
    return id
  }

  /** The server has answered for this conversation, which may be new. */
  private became(id: string): void {
    const { conversationId, isStopWanted } = this.store.view
    const isNew = conversationId === null
    if (isNew) writeQueue(queuePlace(this.place, null), [])
    this.store.set({ conversationId: id, isBeginning: false, isStopWanted: false, connection: 'online' })
    this.sending.keep()
    // Whoever has left meanwhile isn't called back.
    if (isNew && !this.sync.isAway) this.callbacks.onConversationCreated?.(id)
    if (isStopWanted) this.stop()
  }

  private readonly fail = (cause: unknown): void => {
    const error = asError(cause)
    this.store.set({ error })
    this.callbacks.onError?.(error)
  }
}
