// What a chat page draws, outside of React. Events are folded as they come and shown once per frame; what a person does is
// shown at once.
import type { ForkPoint } from '@/api/types'
import { fold, type Heard } from './fold'
import type { Outgoing } from './message-queue'
import { type ChatState, EMPTY } from './state'

export interface ChatView {
  state: ChatState
  conversationId: string | null
  title: string | null
  familyId: string | null
  /** Of a conversation with a team. */
  teamId: string | null
  /** Another agent asked here; nobody else writes. */
  isSubtask: boolean
  versions: ForkPoint[]
  hasOlder: boolean
  isLoading: boolean
  loadError: Error | null
  isLoadingOlder: boolean
  /** A request that begins a turn is under way, and the server hasn't answered yet. */
  isBeginning: boolean
  /** The person has stopped what is just beginning. */
  isStopWanted: boolean
  /** The message that the server doesn't have for certain. */
  sending: Outgoing | null
  queue: Outgoing[]
  connection: 'online' | 'reconnecting' | 'offline'
  error: Error | null
}

const NOTHING: ChatView = {
  state: EMPTY,
  conversationId: null,
  title: null,
  familyId: null,
  teamId: null,
  isSubtask: false,
  versions: [],
  hasOlder: false,
  isLoading: false,
  loadError: null,
  isLoadingOlder: false,
  isBeginning: false,
  isStopWanted: false,
  sending: null,
  queue: [],
  connection: 'online',
  error: null,
}

export class ChatStore {
  /** As it is now. */
  view: ChatView
  private shown: ChatView
  private readonly listeners = new Set<() => void>()
  private readonly frame = perFrame(() => {
    this.show()
  })

  constructor(first: Partial<ChatView>) {
    this.view = { ...NOTHING, ...first }
    this.shown = this.view
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  readonly getSnapshot = (): ChatView => this.shown

  set(changes: Partial<ChatView>): void {
    this.view = { ...this.view, ...changes }
    this.show()
  }

  setState(changes: Partial<ChatState>): void {
    this.set({ state: { ...this.view.state, ...changes } })
  }

  /** The conversation isn't there any more: only which one it was is still known, and what waits to be sent. */
  lose(error: Error): void {
    const { conversationId, queue } = this.view
    this.set({ ...NOTHING, conversationId, queue, loadError: error })
  }

  hear(heard: Heard): void {
    const isPersons = heard.event.type === 'user_message' && heard.event.synthetic !== true
    const sending = isPersons ? null : this.view.sending
    this.view = { ...this.view, sending, state: fold(this.view.state, heard) }
    this.frame.ask()
  }

  /** Returns when it is so, at once if it is already. */
  until(isSo: (view: ChatView) => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!isSo(this.view)) return
        forget()
        resolve()
      }
      const forget = this.subscribe(look)
      look()
    })
  }

  private show(): void {
    this.frame.cancel()
    if (this.shown === this.view) return
    this.shown = this.view
    this.listeners.forEach((listener) => {
      listener()
    })
  }
}

/** Calls back before the next frame is drawn, once however often it was asked. A hidden page draws none: there soon. */
function perFrame(callback: () => void): { ask: () => void; cancel: () => void } {
  let cancelAsked: (() => void) | null = null
  const run = () => {
    cancelAsked?.()
    cancelAsked = null
    callback()
  }
  return {
    ask: () => {
      if (cancelAsked !== null) return
      // Whichever comes first: a page that is hidden after this gets no frame any more.
      const frame = requestAnimationFrame(run)
      const timer = setTimeout(run, 250)
      cancelAsked = () => {
        cancelAnimationFrame(frame)
        clearTimeout(timer)
      }
    },
    cancel: () => {
      cancelAsked?.()
      cancelAsked = null
    },
  }
}
