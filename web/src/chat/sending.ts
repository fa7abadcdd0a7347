// Messages on their way: sent at once, or one after another as turns end.
import { postMessage } from '@/api/chat'
import { ApiError } from '@/api/errors'
import { type ChatPlace, messageBody, newOutgoing, type Outgoing, queuePlace, writeQueue } from './message-queue'
import { asError, withRetries } from './retry'
import type { ChatStore } from './store'
import type { ChatStream } from './stream'
import type { SendOptions } from './types'

interface SendingEvents {
  /** Nobody looks at the conversation here any more. */
  isAway: () => boolean
  /** Another turn runs, which isn't followed here. */
  onBusy: () => void
  onFailed: (error: Error) => void
}

export class Sending {
  /** What the server may have, though it didn't say so, and the key that it was sent with. */
  private unsure: { id: string; what: string } | null = null

  constructor(
    private readonly place: ChatPlace,
    private readonly store: ChatStore,
    private readonly stream: ChatStream,
    private readonly on: SendingEvents,
  ) {}

  get isBusy(): boolean {
    const { isBeginning, sending, state } = this.store.view
    return isBeginning || sending !== null || state.turn === 'running'
  }

  readonly send = async (content: string, options: SendOptions = {}): Promise<void> => {
    const message = this.again(newOutgoing(content, options))
    const { queue, state } = this.store.view
    if (!this.isBusy && queue.length === 0) return this.deliver(message)
    this.setQueue([...queue, message])
    if (!this.isBusy && state.turn === 'none') await this.next()
  }

  readonly remove = (id: string): void => {
    this.setQueue(this.store.view.queue.filter((message) => message.id !== id))
  }

  /** Sends the next message that waits, once nothing runs. */
  readonly next = async (): Promise<void> => {
    const { queue, state, isLoading } = this.store.view
    const [next, ...rest] = queue
    if (next === undefined || this.isBusy || this.on.isAway() || isLoading || state.turn !== 'none') return
    this.store.set({ queue: rest })
    await this.deliver(next).catch(() => {
      this.setQueue([next, ...this.store.view.queue])
    })
  }

  /** What waits, kept under the name that the conversation has now. */
  keep(queue: readonly Outgoing[] = this.store.view.queue): void {
    writeQueue(queuePlace(this.place, this.store.view.conversationId), queue)
  }

  /** Returns when the server has the message. */
  private async deliver(message: Outgoing): Promise<void> {
    this.store.set({ sending: message, isBeginning: true, isStopWanted: false, error: null })
    this.keep([message, ...this.store.view.queue])
    const body = messageBody(this.place, message, this.store.view.conversationId)
    try {
      await withRetries(
        () => this.stream.begin((signal) => postMessage(body, message.id, signal)),
        () => {
          this.store.set({ connection: navigator.onLine ? 'reconnecting' : 'offline' })
        },
      )
      if (this.on.isAway()) this.stream.close()
    } catch (error) {
      this.store.set({ sending: null, isBeginning: false, connection: 'online' })
      if (error instanceof ApiError && error.code === 'turn_in_progress') {
        this.setQueue([message, ...this.store.view.queue])
        this.on.onBusy()
        return
      }
      this.keep()
      if (!isRefused(error)) this.unsure = { id: message.id, what: this.identity(message) }
      this.on.onFailed(asError(error))
      throw error
    } finally {
      this.store.set({ isBeginning: false })
    }
  }

  /** Sent anew after it got no answer, a message has the same key: if the server has it, it isn't said twice. */
  private again(message: Outgoing): Outgoing {
    const { unsure } = this
    this.unsure = null
    return unsure?.what === this.identity(message) ? { ...message, id: unsure.id } : message
  }

  /** The same words after something else was said are another message. */
  private identity(message: Outgoing): string {
    const { conversationId, state } = this.store.view
    return JSON.stringify([messageBody(this.place, message, conversationId), state.messages.at(-1)?.id])
  }

  private setQueue(queue: Outgoing[]): void {
    this.store.set({ queue })
    this.keep(queue)
  }
}

function isRefused(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500
}
