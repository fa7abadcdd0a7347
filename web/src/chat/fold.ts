// The one reducer of a conversation's stream: events in, messages out. It follows "Folding" in docs/stream.md, so that what
// is folded, from any cursor, equals what the server stores. Messages and parts that an event doesn't touch stay the same
// objects: what draws them is memoised.
import type { Active, StreamEvent } from '@/api/types'
import {
  change,
  changeApproval,
  changeCall,
  contentOf,
  indexOf,
  readPart,
  readParts,
  replace,
  say,
  waitsForPerson,
  without,
  withResults,
} from './message-changes'
import { type ChatState, isLater } from './state'
import type { AgentMessage, ChatProblem, MessagePart, ToolCallPart } from './types'

export interface Heard {
  cursor: string | null
  event: StreamEvent
  /** When it was heard, for what carries no time of its own. */
  at: Date
}

type EventOf<Type extends StreamEvent['type']> = Extract<StreamEvent, { type: Type }>

export function fold(state: ChatState, heard: Heard): ChatState {
  const { cursor } = heard
  if (cursor === null) return apply(state, heard)
  if (!isLater(cursor, state.cursor)) return state
  return { ...apply(state, heard), cursor, trouble: null }
}

function apply(state: ChatState, { cursor, event, at }: Heard): ChatState {
  switch (event.type) {
    case 'session':
      return { ...begun(state), sessionId: event.sessionId, notice: event.notice ?? null }
    case 'user_message':
      return event.synthetic === true ? begun(state) : withUserMessage(begun(state), event, at)
    case 'message_start':
      return withStart(state, event)
    case 'text':
    case 'reasoning':
      return withPiece(begun(state), event)
    case 'tool_start':
      return recount(change(begun(state), event.messageId, 'closed', (parts) => [...parts, newCall(event)]))
    case 'tool_progress':
      return change(state, event.messageId, 'as-is', (parts) => {
        const { progress: done, total, message } = event
        return changeCall(parts, event.toolCallId, { progress: { done, total, message } })
      })
    case 'tool_result':
      return recount(
        change(state, event.messageId, 'as-is', (parts) =>
          changeCall(parts, event.toolCallId, {
            progress: undefined,
            result: event.result,
            durationMs: event.durationMs,
            state: event.success ? 'completed' : 'error',
          }),
        ),
      )
    case 'subtask_created':
      return change(state, event.messageId, 'as-is', (parts) => changeCall(parts, event.toolCallId, { subtask: event.subtask }))
    case 'approval_required':
      return recount(
        change(begun(state), event.messageId, 'as-is', (parts) => [
          ...changeCall(parts, event.toolCallId, { state: 'pending' }),
          ...readParts([{ ...event, type: 'approval', status: 'pending' }]),
        ]),
      )
    case 'approval_resolved':
      return recount(change(state, event.messageId, 'as-is', (parts) => resolved(parts, event)))
    case 'handoff':
      return withHandoff(begun(state), event, at)
    case 'switched':
      return withSwitch(state, event, at)
    case 'handoff_suggested':
      return { ...state, suggestion: { agentId: event.to, agentName: event.toName } }
    case 'message_complete':
      return replace(state, event.messageId, 'closed', (message) => ({ ...message, status: event.status }))
    case 'error':
      return isNotice(cursor, event) ? { ...state, trouble: event.message } : withProblem(state, event)
    case 'done':
      return { ...state, turn: 'none', endedAs: event.status, usage: event.usage }
    case 'lagged':
    case 'reset':
      return state
  }
}

/** A turn runs: what was said about the one before is over. */
function begun(state: ChatState): ChatState {
  if (state.turn !== 'none') return state
  return { ...state, turn: 'running', usage: null, endedAs: null, problem: null, suggestion: null, notice: null }
}

function withUserMessage(state: ChatState, event: EventOf<'user_message'>, at: Date): ChatState {
  const message: AgentMessage = {
    id: event.messageId,
    role: 'user',
    content: event.content,
    parts: [{ type: 'text', text: event.content }],
    createdAt: at,
    status: 'complete',
    agentId: state.active?.agentId ?? '',
    attempt: 1,
    attachments: event.attachments,
  }
  return { ...state, messages: [...state.messages, message] }
}

function withStart(state: ChatState, event: EventOf<'message_start'>): ChatState {
  const at = indexOf(state, event.messageId)
  const parts = withResults(readParts(event.parts), state.messages[at]?.parts ?? [])
  const { agentId, agentName, avatarUrl, attempt } = event
  const message: AgentMessage = {
    id: event.messageId,
    role: 'assistant',
    content: contentOf(parts),
    parts,
    createdAt: new Date(event.timestamp),
    status: 'streaming',
    agentId,
    agentName,
    avatarUrl,
    attempt,
    attachments: [],
  }
  const messages = at === -1 ? [...state.messages, message] : state.messages.with(at, message)
  return { ...state, messages, open: without(state.open, event.messageId), active: seen(state.active, event) }
}

function withPiece(state: ChatState, event: EventOf<'text' | 'reasoning'>): ChatState {
  const isOpen = state.open.includes(event.messageId)
  const open = event.isComplete ? 'closed' : event.content === '' ? 'as-is' : 'open'
  return change(state, event.messageId, open, (parts) => say(parts, isOpen, event.type, event.content))
}

function withHandoff(state: ChatState, event: EventOf<'handoff'>, at: Date): ChatState {
  const active = newer(state.active, event, false, event.reason, at)
  const next: ChatState = { ...state, active, suggestion: null }
  // Nobody had spoken yet: the next agent's message brings the part along.
  if (event.messageId === undefined || event.messageId === null) return next
  const { stage } = event
  const raw = stage ? { ...stage, toolCallId: event.toolCallId, toName: event.toName, type: 'stage' } : { ...event, type: 'handoff' }
  return change(next, event.messageId, 'closed', (parts) => [...parts, ...readParts([raw])])
}

function withSwitch(state: ChatState, event: EventOf<'switched'>, at: Date): ChatState {
  const { from, to, toName, by, epoch, pinned } = event
  const fromName = state.active?.agentId === from ? state.active.agentName : nameIn(state, from)
  const mark = { after: state.messages.at(-1)?.id ?? null, from, fromName, to, toName, by, epoch, pinned }
  // What the session's notice says of it, the mark says too, and for longer; before the first message none is shown.
  const notice = by === 'fallback' && mark.after !== null ? null : state.notice
  const active = newer(state.active, event, pinned, null, at)
  return { ...state, suggestion: null, notice, active, switches: [...state.switches, mark] }
}

function nameIn({ messages }: ChatState, agentId: string): string | undefined {
  return messages.findLast((message) => message.agentId === agentId && message.agentName !== undefined)?.agentName
}

/** Told and not stored: something keeps the turn waiting, and nothing has ended. */
function isNotice(cursor: string | null, { messageId }: EventOf<'error'>): boolean {
  return cursor === null && (messageId === undefined || messageId === null)
}

function withProblem(state: ChatState, event: EventOf<'error'>): ChatState {
  const { code, message, recoverable } = event
  const problem: ChatProblem = { code, message, recoverable }
  const next = { ...state, problem }
  if (event.messageId === undefined || event.messageId === null) return next
  return replace(next, event.messageId, 'as-is', (about) => ({ ...about, error: problem }))
}

function newCall(event: EventOf<'tool_start'>): MessagePart {
  return readPart({ ...event, type: 'tool-call', state: 'running' }) as ToolCallPart
}

function resolved(parts: MessagePart[], event: EventOf<'approval_resolved'>): MessagePart[] {
  const call: Partial<ToolCallPart> = {}
  if (event.decision === 'approved') call.state = 'running'
  if (event.args !== undefined && event.args !== null) call.args = event.args
  const { decision: status, by, reason, decidedAt } = event
  const decided = { status, by, ...(reason && { reason }), ...(decidedAt && { decidedAt }) }
  return changeApproval(changeCall(parts, event.toolCallId, call), event.approvalId, decided)
}

/** Whether the turn still runs, or waits for a person. */
function recount(state: ChatState): ChatState {
  if (state.turn === 'none') return state
  const waits = state.messages.some(({ status, parts }) => status === 'streaming' && waitsForPerson(parts))
  const turn = waits ? 'waiting' : 'running'
  return turn === state.turn ? state : { ...state, turn }
}

// Who holds a conversation, as its stream tells it.

/** Of two that say who holds the conversation, the larger epoch is right; at the same one only the pin may be another. */
function newer(
  active: Active | null,
  { to, toName, epoch }: { to: string; toName: string; epoch: number },
  pinned: boolean,
  summary: string | null,
  at: Date,
): Active | null {
  if (active !== null && active.epoch === epoch && active.agentId === to) return { ...active, pinned }
  if (active !== null && active.epoch >= epoch) return active
  const since = at.toISOString()
  return { activationId: '', messageId: null, agentId: to, agentName: toName, avatarUrl: null, role: null, summary, since, epoch, pinned }
}

/** An agent's message shows its face. The first one of a new conversation also tells who holds it. */
function seen(active: Active | null, event: Extract<StreamEvent, { type: 'message_start' }>): Active | null {
  const { agentId, agentName, avatarUrl } = event
  if (active === null) {
    const unknown = { activationId: '', messageId: null, role: null, summary: null, pinned: false, epoch: 0 }
    return { ...unknown, agentId, agentName, avatarUrl, since: event.timestamp }
  }
  return active.agentId === agentId && active.avatarUrl === null && avatarUrl !== null ? { ...active, avatarUrl } : active
}
