// Changes one message of a conversation. Whether its last part may still grow is kept beside it.
import type { ApiError } from '@/api/errors'
import { contentOf } from './parts'
import type { ChatState } from './state'
import type { AgentMessage, MessagePart } from './types'

type Openness = 'open' | 'closed' | 'as-is'

/** The parts of a message, and what they say. */
export function change(state: ChatState, messageId: string, open: Openness, parts: (parts: MessagePart[]) => MessagePart[]): ChatState {
  return replace(state, messageId, open, (message) => {
    const next = parts(message.parts)
    return next === message.parts ? message : { ...message, parts: next, content: contentOf(next) }
  })
}

/** One message of many. */
export function replace(state: ChatState, messageId: string, open: Openness, make: (message: AgentMessage) => AgentMessage): ChatState {
  const at = indexOf(state, messageId)
  const message = state.messages[at]
  if (message === undefined) return state
  const next = make(message)
  const messages = next === message ? state.messages : state.messages.with(at, next)
  return { ...state, messages, open: openness(state.open, messageId, open) }
}

/** Nothing more is heard of the turn: what was being said stays as it is, and nobody waits for the rest. */
export function cutOff(state: ChatState, { code, message: reason }: ApiError): ChatState {
  const messages = state.messages.map((message) => (message.status === 'streaming' ? { ...message, status: 'failed' as const } : message))
  return { ...state, messages, open: [], turn: 'none', problem: { code, message: reason, recoverable: false } }
}

function openness(open: readonly string[], messageId: string, change: Openness): readonly string[] {
  if (change === 'as-is') return open
  if (change === 'closed') return without(open, messageId)
  return open.includes(messageId) ? open : [...open, messageId]
}

export function without(open: readonly string[], messageId: string): readonly string[] {
  return open.includes(messageId) ? open.filter((id) => id !== messageId) : open
}

// From the end: what changes is nearly always there.
export function indexOf({ messages }: ChatState, id: string): number {
  return messages.findLastIndex((message) => message.id === id)
}
