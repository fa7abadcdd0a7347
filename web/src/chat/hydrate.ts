// A conversation as the server stores it, made into the state that its stream goes on from.
import type { Attachment, ConversationDetail, StoredMessage } from '@/api/types'
import { readParts } from './message-changes'
import { type ChatState, EMPTY, isLater } from './state'
import { isPutAway } from './switching'
import type { AgentMessage, Switch, Usage } from './types'

export function fromStored(detail: ConversationDetail): ChatState {
  const messages = readMessages(detail)
  return {
    ...EMPTY,
    messages,
    switches: readSwitches(detail),
    cursor: detail.cursor,
    active: detail.active,
    turn: detail.turn?.status ?? 'none',
    sessionId: detail.turn?.session_id ?? null,
    endedAs: detail.last_turn?.status ?? null,
    problem: detail.last_turn?.error ?? null,
    suggestion: suggested(detail),
  }
}

function suggested(detail: ConversationDetail): ChatState['suggestion'] {
  const turn = detail.last_turn
  if (isPutAway(detail.id, shownOf(detail).at(-1)?.id)) return null
  return turn?.suggested ? { agentId: turn.suggested.agent_id, agentName: turn.suggested.agent_name } : null
}

/** The state with an older page before what was read so far. */
export function withOlder(state: ChatState, detail: ConversationDetail): ChatState {
  const known = new Set(state.messages.map(({ id }) => id))
  const older = readMessages(detail).filter(({ id }) => !known.has(id))
  const switches = [...readSwitches(detail), ...after(older, state.switches)]
  return { ...state, messages: [...older, ...state.messages], switches }
}

/** What happened before the first message of a page happened after the last of the page before it. */
export function after(older: readonly AgentMessage[], switches: readonly Switch[]): Switch[] {
  const last = older.at(-1)?.id ?? null
  return switches.map((mark) => (mark.after === null ? { ...mark, after: last } : mark))
}

/** The messages of a conversation, or of an older page of it. */
export function readMessages(detail: ConversationDetail): AgentMessage[] {
  const faces = facesIn(detail)
  return shownOf(detail).map((message) => readMessage(message, faces))
}

/** Changes of hands, with the names of those it was taken from, whether or not they still work here. */
export function readSwitches({ agents, switches }: ConversationDetail): Switch[] {
  return switches.map((mark) => ({ ...mark, fromName: agents.find(({ id }) => id === mark.from)?.name }))
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
  const isOlder = new Set(older.map(({ id }): string | null => id))
  const toldAnew = new Set(stored.switches.map(({ epoch }) => epoch))
  const said = stored.turn === 'none' && state.turn === 'none'
  return {
    ...stored,
    messages: sameList(state.messages, [...older, ...merged]),
    switches: [...state.switches.filter(({ after: id, epoch }) => isOlder.has(id) && !toldAnew.has(epoch)), ...after(older, stored.switches)],
    usage: said ? state.usage : null,
    problem: said && state.problem !== null && stored.problem !== null ? state.problem : stored.problem,
    // Whoever put the offer away here isn't asked again; whoever hears of a turn only now is.
    suggestion: isLater(detail.cursor, state.cursor) ? stored.suggestion : state.suggestion,
    notice: said ? state.notice : null,
    sessionId: stored.sessionId ?? state.sessionId,
  }
}

function readMessage(message: StoredMessage, faces: Map<string, Face>): AgentMessage {
  const { usage, model, error, attachments, imported, wrote, taskId } = metadataOf(message)
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
    ...(imported === true && { imported }),
    ...(wrote === true && { wrote }),
  }
}

interface Metadata {
  synthetic?: boolean
  imported?: boolean
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
  avatarUrl: string | null
}

function facesIn({ agents }: ConversationDetail): Map<string, Face> {
  return new Map(agents.map(({ id, name, avatar_url }) => [id, { agentName: name, avatarUrl: avatar_url }]))
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
