// A conversation as the server stores it, made into the state that its stream goes on from.
import type { Attachment, ConversationDetail, StoredMessage } from '@/api/types'
import { isLater } from './cursor'
import { EMPTY, type ChatState } from './state'
import { readParts } from './parts'
import type { AgentMessage, Usage } from './types'

export function fromStored(detail: ConversationDetail): ChatState {
  const messages = readMessages(detail)
  return {
    ...EMPTY,
    messages,
    cursor: detail.cursor,
    active: detail.active,
    turn: detail.turn?.status ?? 'none',
    sessionId: detail.turn?.session_id ?? null,
    endedAs: detail.last_turn?.status ?? null,
    problem: detail.last_turn?.error ?? null,
  }
}

/** The messages of a conversation, or of an older page of it. */
export function readMessages(detail: ConversationDetail): AgentMessage[] {
  const faces = facesIn(detail)
  return shownOf(detail).map((message) => readMessage(message, faces))
}

/** What Baton said to itself isn't shown. */
export function shownOf({ messages }: ConversationDetail): StoredMessage[] {
  return messages.filter((message) => metadataOf(message).synthetic !== true)
}

/**
 * The state after reading a conversation again: what is stored, but with the objects that are already drawn wherever they
 * say the same, and with the older pages that were read before.
 */
export function reread(state: ChatState, detail: ConversationDetail): ChatState {
  const stored = fromStored(detail)
  const known = new Map(state.messages.map((message) => [message.id, message]))
  const merged = stored.messages.map((message) => keepSame(known.get(message.id), message))
  // An answer that was on its way while the stream went on knows less than we do, but for what isn't streamed.
  if (state.cursor !== null && isLater(state.cursor, detail.cursor)) return { ...state, messages: withMetadata(state.messages, merged) }
  const older = state.messages.slice(0, firstShared(state.messages, merged))
  const said = stored.turn === 'none' && state.turn === 'none'
  return {
    ...stored,
    messages: sameList(state.messages, [...older, ...merged]),
    usage: said ? state.usage : null,
    problem: said && state.problem !== null && stored.problem !== null ? state.problem : stored.problem,
    suggestion: said ? state.suggestion : null,
    notice: said ? state.notice : null,
    sessionId: stored.sessionId ?? state.sessionId,
  }
}

function readMessage(message: StoredMessage, faces: Map<string, Face>): AgentMessage {
  const { usage, model, error, attachments, wrote, taskId } = metadataOf(message)
  return {
    id: message.id,
    role: message.role,
    content: message.content,
    parts: message.parts === null ? [{ type: 'text', text: message.content }] : readParts(message.parts),
    createdAt: new Date(message.created_at),
    status: message.status,
    agentId: message.agent_id,
    attempt: message.attempt,
    attachments: attachments ?? [],
    ...(message.role === 'assistant' ? faces.get(message.agent_id) : undefined),
    ...(usage && { usage }),
    ...(model !== undefined && { model }),
    ...(taskId !== undefined && { taskId }),
    ...(error && { error: { recoverable: true, ...error } }),
    ...(wrote === true && { wrote }),
  }
}

interface Metadata {
  synthetic?: boolean
  attachments?: Attachment[]
  usage?: Usage
  model?: string
  wrote?: boolean
  taskId?: string
  /** `recoverable` is missing in what was stored before it was kept. */
  error?: { code: string; message: string; recoverable?: boolean }
}

function metadataOf(message: StoredMessage): Metadata {
  return message.metadata
}

interface Face {
  agentName: string
  avatarUrl?: string | null
}

/** Stored messages name their agent by id alone; some names are said elsewhere in the same answer. */
function facesIn({ active, messages }: ConversationDetail): Map<string, Face> {
  const faces = new Map<string, Face>()
  for (const part of messages.flatMap(({ parts }) => readParts(parts ?? []))) {
    if (part.type === 'handoff') faces.set(part.to, { agentName: part.toName })
  }
  if (active !== null) faces.set(active.agentId, { agentName: active.agentName, avatarUrl: active.avatarUrl })
  return faces
}

function keepSame(known: AgentMessage | undefined, stored: AgentMessage): AgentMessage {
  if (known === undefined) return stored
  const parts = stored.parts.map((part, at) => (isSame(known.parts[at], part) ? (known.parts[at] ?? part) : part))
  const merged: AgentMessage = {
    ...stored,
    parts,
    ...(known.agentName !== undefined && { agentName: known.agentName, avatarUrl: known.avatarUrl }),
    ...(stored.error && known.error?.code === stored.error.code && { error: known.error }),
  }
  return isSame(known, merged) ? known : merged
}

function withMetadata(messages: AgentMessage[], stored: AgentMessage[]): AgentMessage[] {
  const byId = new Map(stored.map((message) => [message.id, message]))
  return messages.map((message) => {
    const { usage, model, wrote, taskId } = byId.get(message.id) ?? {}
    if (message.usage !== undefined || usage === undefined) return message
    return {
      ...message,
      usage,
      ...(model !== undefined && { model }),
      ...(wrote === true && { wrote }),
      ...(taskId !== undefined && { taskId }),
    }
  })
}

function firstShared(messages: AgentMessage[], page: AgentMessage[]): number {
  const first = page[0]?.id
  return Math.max(0, messages.findIndex(({ id }) => id === first))
}

function sameList(before: AgentMessage[], after: AgentMessage[]): AgentMessage[] {
  const isUnchanged = before.length === after.length && after.every((message, at) => message === before[at])
  return isUnchanged ? before : after
}

/** By their JSON, with keys in order: they came from there. */
function isSame(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other)
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  )
}
