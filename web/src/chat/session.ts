// A conversation that is open in this tab: what a person can do with it, and how it keeps up with the server.
import * as approvals from '@/api/approvals'
import { postMessage, postRetry, stopTurn, type NewMessage } from '@/api/chat'
import * as conversations from '@/api/conversations'
import { ApiError, errorFromFailure, isGone } from '@/api/errors'
import type { Active, Attachment, ConversationDetail, NoticeEvent } from '@/api/types'
import { backoff, pause } from '@/lib/backoff'
import { isLive, onNotice } from '@/live/notices'
import { EMPTY } from './fold'
import { newOutgoing, readQueue, writeQueue, type Outgoing } from './queue'
import { readEvents } from './sse'
import { ChatStore } from './store'
import { readMessages, reread } from './stored'
import { ChatStream } from './stream'
import type { AgentMessage, SendOptions } from './types'

const PAGE_SIZE = 50
/** How often a message is sent again that got no answer. */
const TRIES = 5

export interface ChatPlace {
  workspaceId: string
  agentId?: string
  teamId?: string
  conversationId: string | null
}

export interface ChatCallbacks {
  onConversationCreated?: (id: string) => void
  onForked?: (id: string) => void
  onError?: (error: Error) => void
}

export class ChatSession {
  readonly store: ChatStore
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
    if (this.store.view.conversationId === null) void this.drain()
    else void this.load()
    return () => {
      started.abort()
      forget()
      // A message on its way is let through: its turn runs on the server, whoever looks.
      if (!this.store.view.isBeginning) this.stream.close()
    }
  }

  readonly load = async (): Promise<void> => {
    const { conversationId } = this.store.view
    if (conversationId === null) return
    const signal = this.started?.signal
    this.store.set({ loadError: null })
    try {
      this.take(await conversations.fetchConversation(conversationId, { limit: PAGE_SIZE }, signal))
      this.store.set({ isLoading: false })
      this.goOn()
    } catch (error) {
      if (signal?.aborted !== true) this.store.set({ isLoading: false, loadError: asError(error) })
    }
  }

  readonly reload = (): void => {
    this.store.set({ isLoading: true, error: null })
    void this.load()
  }

  readonly loadOlder = async (): Promise<void> => {
    const { conversationId, hasOlder, isLoadingOlder, state } = this.store.view
    const before = state.messages[0]?.id
    if (conversationId === null || !hasOlder || isLoadingOlder || before === undefined) return
    this.store.set({ isLoadingOlder: true })
    try {
      const page = await conversations.fetchConversation(conversationId, { before, limit: PAGE_SIZE })
      const { messages } = this.store.view.state
      const older = readMessages(page).filter(({ id }) => messages.every((message) => message.id !== id))
      this.store.set({ hasOlder: page.has_more, state: { ...this.store.view.state, messages: [...older, ...messages] } })
    } finally {
      this.store.set({ isLoadingOlder: false })
    }
  }

  readonly send = async (content: string, options: SendOptions = {}): Promise<void> => {
    const message = newOutgoing(content, options)
    const { queue, state } = this.store.view
    if (!this.isBusy && queue.length === 0) return this.deliver(message)
    this.setQueue([...queue, message])
    if (!this.isBusy && state.turn === 'none') await this.drain()
  }

  readonly removeQueued = (id: string): void => {
    this.setQueue(this.store.view.queue.filter((message) => message.id !== id))
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
    if (conversationId === null || this.isBusy) return
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
    const before = this.store.view.state.active
    this.store.setState({ active: guess(before, agentId, nameOf(agentId)), suggestion: null })
    try {
      const known = before === null || before.epoch === 0 ? undefined : before.epoch
      this.believe(await conversations.switchAgent(conversationId, agentId, known))
      if (!this.stream.isOpen) await this.read().catch(() => undefined)
    } catch (error) {
      if (error instanceof conversations.StaleEpochError) this.believe(error.active)
      else if ((this.store.view.state.active?.epoch ?? 0) === (before?.epoch ?? 0)) this.store.setState({ active: before })
      throw error
    }
  }

  readonly edit = (messageId: string, content: string): Promise<void> => {
    const message = this.store.view.state.messages.find(({ id }) => id === messageId)
    return this.fork(messageId, content, message?.attachments ?? [])
  }

  readonly regenerate = async (messageId: string): Promise<void> => {
    const { messages } = this.store.view.state
    const before = messages.slice(0, messages.findIndex(({ id }) => id === messageId))
    const asked = before.findLast(({ role }) => role === 'user')
    if (asked !== undefined) await this.fork(asked.id, asked.content, asked.attachments)
  }

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

  /** Says something in place of a message, in another version of the conversation. The page goes there and reads the answer. */
  private async fork(messageId: string, content: string, attachments: Attachment[]): Promise<void> {
    const { conversationId } = this.store.view
    if (conversationId === null) return
    const fork = await conversations.forkConversation(conversationId, messageId)
    const message = newOutgoing(content, { attachments })
    const cut = new AbortController()
    try {
      await repeated(async () => {
        const events = readEvents(await postMessage(this.body(message, fork.id), message.id, cut.signal))
        if ((await events.next()).done === true) throw errorFromFailure('the answer ended before it began')
      })
    } catch (error) {
      await conversations.deleteConversation(fork.id).catch(() => undefined)
      throw error
    } finally {
      cut.abort()
    }
    this.callbacks.onForked?.(fork.id)
  }

  /** Returns when the server has the message. */
  private async deliver(message: Outgoing): Promise<void> {
    this.store.set({ sending: message, isBeginning: true, error: null })
    this.keepQueue([message, ...this.store.view.queue])
    const { conversationId } = this.store.view
    try {
      await repeated(
        () => this.stream.begin((signal) => postMessage(this.body(message, conversationId), message.id, signal)),
        () => {
          this.store.set({ connection: navigator.onLine ? 'reconnecting' : 'offline' })
        },
      )
      if (this.isAway) this.stream.close()
    } catch (error) {
      this.store.set({ sending: null, isBeginning: false, connection: 'online' })
      if (error instanceof ApiError && error.code === 'turn_in_progress') {
        this.setQueue([message, ...this.store.view.queue])
        // Not at once: if that turn has just ended, or is another process's to end, asking again and again helps nobody.
        void pause(backoff(1), this.started?.signal ?? NEVER).then(() => {
          this.catchUp()
        })
        return
      }
      this.keepQueue(this.store.view.queue)
      this.fail(asError(error))
      throw error
    } finally {
      this.store.set({ isBeginning: false })
    }
  }

  /** Sends the next message that waits, once nothing runs. */
  private async drain(): Promise<void> {
    const { queue, state, isLoading } = this.store.view
    const [next, ...rest] = queue
    if (next === undefined || this.isBusy || this.isAway || isLoading || state.turn !== 'none') return
    this.store.set({ queue: rest })
    await this.deliver(next).catch(() => {
      this.setQueue([next, ...this.store.view.queue])
    })
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
    const { workspaceId, agentId, teamId } = this.place
    const { id } = await conversations.createConversation({ workspaceId, ...(teamId === undefined ? { agentId } : { teamId }) })
    this.became(id)
    await this.read()
    return id
  }

  /** The server has answered for this conversation, which may be new. */
  private became(id: string): void {
    const isNew = this.store.view.conversationId === null
    if (isNew) writeQueue(queuePlace(this.place, null), [])
    this.store.set({ conversationId: id, isBeginning: false, connection: 'online' })
    this.keepQueue(this.store.view.queue)
    if (isNew) this.callbacks.onConversationCreated?.(id)
    if (this.isStopWanted) this.stop()
    this.isStopWanted = false
  }

  private notice(notice: NoticeEvent): void {
    const { conversationId, state } = this.store.view
    if (notice.type === 'reset') this.catchUp()
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
    if (turn === 'none' && problem === null) void this.drain()
  }

  /** A turn is over or waits: what isn't streamed, such as the title and what messages cost, is read. */
  private async settle(): Promise<void> {
    if (this.isAway) return
    await this.read().catch(() => undefined)
    this.goOn()
  }

  private async read(): Promise<void> {
    const { conversationId } = this.store.view
    if (conversationId === null) return
    const detail = await conversations.fetchConversation(conversationId, { limit: PAGE_SIZE }, this.started?.signal)
    // A message that was sent meanwhile is told by its own stream.
    if (this.store.view.sending === null) this.take(detail)
  }

  private take(detail: ConversationDetail): void {
    const state = reread(this.store.view.state, detail)
    const hasOlderPages = state.messages.length > detail.messages.length
    const hasOlder = hasOlderPages ? this.store.view.hasOlder : detail.has_more
    this.store.set({ state, hasOlder, title: detail.title, versions: detail.versions })
  }

  /** Of two that say who holds the conversation, the larger epoch is right. */
  private believe(active: Active): void {
    if (active.epoch >= (this.store.view.state.active?.epoch ?? 0)) this.store.setState({ active })
  }

  private body({ content, attachments, webSearch }: Outgoing, conversationId: string | null): NewMessage {
    const { workspaceId, agentId, teamId } = this.place
    const begins = teamId === undefined ? { agentId } : { teamId }
    return {
      workspaceId,
      message: content,
      ...(conversationId === null ? begins : { conversationId }),
      ...(attachments.length > 0 && { attachments: attachments.map(({ id }) => id) }),
      ...(webSearch === true && { webSearch }),
    }
  }

  private setQueue(queue: Outgoing[]): void {
    this.store.set({ queue })
    this.keepQueue(queue)
  }

  private keepQueue(queue: readonly Outgoing[]): void {
    writeQueue(queuePlace(this.place, this.store.view.conversationId), queue)
  }

  private fail(error: Error): void {
    this.store.set({ error })
    this.callbacks.onError?.(error)
  }

  private get isBusy(): boolean {
    const { isBeginning, sending, state } = this.store.view
    return isBeginning || sending !== null || state.turn === 'running'
  }

  private get isAway(): boolean {
    return this.started?.signal.aborted ?? true
  }
}

function queuePlace({ agentId, teamId }: ChatPlace, conversationId: string | null): string {
  return conversationId ?? `new.${teamId ?? agentId ?? ''}`
}

/** Who will hold the conversation if the server agrees. */
function guess(before: Active | null, agentId: string, name: string | undefined): Active | null {
  if (agentId === 'auto') return before === null ? null : { ...before, pinned: false }
  const unknown = { activationId: '', avatarUrl: null, role: null, summary: null, epoch: before?.epoch ?? 0 }
  return { ...unknown, agentId, agentName: name ?? '', since: new Date().toISOString(), pinned: true }
}

/** Tries again what got no answer. Only for what the server does once however often it is asked. */
async function repeated(attempt: () => Promise<void>, onWait: () => void = () => undefined): Promise<void> {
  for (let failures = 1; ; failures++) {
    try {
      await attempt()
      return
    } catch (error) {
      const gotNoAnswer = error instanceof ApiError && [0, 502, 504].includes(error.status)
      if (!gotNoAnswer || failures === TRIES) throw error
    }
    onWait()
    await pause(backoff(failures), NEVER)
  }
}

const NEVER = new AbortController().signal

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
