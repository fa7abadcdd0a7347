// Changes one message of a conversation. Whether its last part may still grow is kept beside it.
import type { ApiError } from '@/api/errors'
import type { ChatState } from './state'
import type { AgentMessage, ApprovalPart, HandoffPart, MessagePart, StagePart, ToolCallPart } from './types'

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

// The parts of a message: read from what the server stores or streams, and changed without touching the others.

type Raw = Record<string, unknown>

/** Parts as the server writes them. A kind this app doesn't know is left out. */
export function readParts(raw: readonly unknown[]): MessagePart[] {
  return raw.flatMap((part) => readPart(part as Raw) ?? [])
}

export function readPart(raw: Raw): MessagePart | null {
  switch (raw.type) {
    case 'text':
      return { type: 'text', text: String(raw.text) }
    case 'reasoning':
      return { type: 'reasoning', reasoning: String(raw.reasoning) }
    case 'tool-call':
      return pick<ToolCallPart>(raw, ['type', 'toolCallId', 'toolName', 'displayName', 'args', 'result', 'durationMs', 'state', 'subtask'])
    case 'approval':
      return pick<ApprovalPart>(raw, ['type', 'approvalId', 'toolCallId', 'toolName', 'argsHash', 'preview', 'status', 'expiresAt', 'by', 'reason', 'decidedAt'])
    case 'handoff':
      return pick<HandoffPart>({ ...raw, reason: raw.reason ?? null }, ['type', 'handoffId', 'toolCallId', 'from', 'to', 'toName', 'trigger', 'reason', 'context'])
    case 'stage':
      return pick<StagePart>(raw, ['type', 'toolCallId', 'name', 'number', 'of', 'completed', 'toName'])
    default:
      return null
  }
}

function pick<Part extends MessagePart>(raw: Raw, names: (keyof Part & string)[]): Part {
  return Object.fromEntries(names.filter((name) => raw[name] !== undefined).map((name) => [name, raw[name]])) as unknown as Part
}

/** Adds a piece of what a model says: to the last part if that is of its kind and `open`, else as a new part. */
export function say(parts: MessagePart[], open: boolean, kind: 'text' | 'reasoning', piece: string): MessagePart[] {
  if (piece === '') return parts
  const last = parts.at(-1)
  if (open && kind === 'text' && last?.type === 'text') return parts.with(-1, { ...last, text: last.text + piece })
  if (open && kind === 'reasoning' && last?.type === 'reasoning') return parts.with(-1, { ...last, reasoning: last.reasoning + piece })
  return [...parts, kind === 'text' ? { type: 'text', text: piece } : { type: 'reasoning', reasoning: piece }]
}

const isCall = (part: MessagePart): part is ToolCallPart => part.type === 'tool-call'

/** A message that begins again brings no results: they were heard before. */
export function withResults(parts: MessagePart[], before: readonly MessagePart[]): MessagePart[] {
  const heard = before.filter(isCall)
  let next = 0
  return parts.map((part) => {
    if (!isCall(part)) return part
    const { toolCallId, result } = heard[next++] ?? {}
    return toolCallId === part.toolCallId && result !== undefined ? { result, ...part } : part
  })
}

/** Changes the last call with this id. */
export function changeCall(parts: MessagePart[], toolCallId: string, changes: Partial<ToolCallPart>): MessagePart[] {
  const at = parts.findLastIndex((part) => part.type === 'tool-call' && part.toolCallId === toolCallId)
  const call = parts[at]
  return call?.type === 'tool-call' ? parts.with(at, { ...call, ...changes }) : parts
}

export function changeApproval(parts: MessagePart[], approvalId: string, changes: Partial<ApprovalPart>): MessagePart[] {
  return parts.map((part) => (part.type === 'approval' && part.approvalId === approvalId ? { ...part, ...changes } : part))
}

/** The text of a message: its text parts, a paragraph each. */
export function contentOf(parts: readonly MessagePart[]): string {
  const texts = parts.flatMap((part) => (part.type === 'text' ? part.text.trim() : []))
  return texts.filter((text) => text !== '').join('\n\n')
}

/** Whether a message can only go on when a person decides. */
export function waitsForPerson(parts: readonly MessagePart[]): boolean {
  const isIn = (state: ToolCallPart['state']) => parts.some((part) => part.type === 'tool-call' && part.state === state)
  return isIn('pending') && !isIn('running')
}
