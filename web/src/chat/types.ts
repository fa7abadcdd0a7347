// What a conversation looks like to the app: messages made of parts, and everything a chat page can show and do.
import type { Shown } from '@/api/approvals'
import type { Active, Attachment, ForkPoint, Preview, StreamEvent, SwitchMark } from '@/api/types'

export type MessageStatus = 'streaming' | 'complete' | 'stopped' | 'failed'

export interface TextPart {
  type: 'text'
  text: string
}

export interface ReasoningPart {
  type: 'reasoning'
  reasoning: string
}

export interface ToolCallPart {
  type: 'tool-call'
  toolCallId: string
  toolName: string
  displayName?: string
  args: unknown
  result?: unknown
  durationMs?: number
  state: 'pending' | 'running' | 'completed' | 'error'
  /** How far it is, as its tool told last; nobody tells those who read later. */
  progress?: { done: number; total?: number | null; message?: string | null }
  /** The call asked another agent: where that one works on the answer. */
  subtask?: { conversationId: string; taskId: string }
}

/** A person's decision on the tool call with the same `toolCallId`, which stands before it. */
export interface ApprovalPart {
  type: 'approval'
  approvalId: string
  toolCallId: string
  toolName: string
  /** Names the arguments that are asked about; a decision gives it back. */
  argsHash?: string
  /** What the call would change, where its tool can tell. */
  preview?: Preview
  status: 'pending' | 'approved' | 'rejected' | 'expired' | 'cancelled'
  expiresAt?: string
  by?: string
  reason?: string
  /** When a person decided. */
  decidedAt?: string
}

/** The agent of this message handed the conversation on. */
export interface HandoffPart {
  type: 'handoff'
  handoffId: string
  /** The call that asked for it, in the same message; none where no model did, or where an earlier Baton stored it. */
  toolCallId?: string
  from: string
  to: string
  toName: string
  trigger: Extract<StreamEvent, { type: 'handoff' }>['trigger']
  reason: string | null
  /** What was passed along. Keys that begin with `_` are Baton's own. */
  context: Record<string, unknown>
}

/** The agent of this message finished a stage of a pipeline, and the next stage began. */
export interface StagePart {
  type: 'stage'
  /** The call that completed it, as for a handoff. */
  toolCallId?: string
  /** The stage that begins, and which of how many it is. */
  name: string
  number: number
  of: number
  /** The name of the stage that is finished. */
  completed: string
  toName?: string
}

export type MessagePart = TextPart | ReasoningPart | ToolCallPart | ApprovalPart | HandoffPart | StagePart

export interface AgentMessage {
  id: string
  role: 'user' | 'assistant'
  content: string
  parts: MessagePart[]
  createdAt: Date
  status: MessageStatus
  /** Who speaks; for a person's message, whom it was sent to. */
  agentId: string
  agentName?: string
  avatarUrl?: string | null
  attempt: number
  attachments: Attachment[]
  usage?: Usage
  model?: string
  /** The turn it belongs to; members only. */
  taskId?: string
  error?: ChatProblem
  /** A client brought it along: nobody said it here. */
  imported?: boolean
  /** Its tools changed something, which another version of the conversation doesn't undo. */
  wrote?: boolean
}

export interface Usage {
  inputTokens: number
  outputTokens: number
  cacheReadTokens?: number
  reasoningTokens?: number
  /** Null when the model's price isn't known. */
  costUsd: number | null
}

/** Why a turn failed, in words for people. `recoverable`: trying again can help. */
export interface ChatProblem {
  code: string
  message: string
  recoverable: boolean
}

/** Where the holder of a conversation changed and no message tells it. */
export interface Switch extends SwitchMark {
  /** Who had it before, if that is known. */
  fromName?: string
}

export type TurnStatus = 'completed' | 'stopped' | 'failed'

export type ChatStatus = 'idle' | 'connecting' | 'streaming' | 'error'

export interface QueuedMessage {
  id: string
  content: string
  attachments: Attachment[]
}

export interface SendOptions {
  attachments?: Attachment[]
  webSearch?: boolean
}

export interface UseAgentChatOptions {
  /** The agent to begin with; a conversation may have moved on to another since. */
  agentId?: string
  /** Instead of `agentId`: a conversation with a team. */
  teamId?: string
  workspaceId: string
  conversationId?: string | null
  initialMessages?: AgentMessage[]
  onConversationCreated?: (id: string) => void
  /** An edit or a new answer made another version of the conversation: go there. */
  onForked?: (id: string) => void
  onError?: (error: Error) => void
}

export interface UseAgentChatReturn {
  messages: AgentMessage[]
  status: ChatStatus
  error: Error | null
  conversationId: string | null
  sessionId: string | null
  isStreaming: boolean
  usage: Usage | null

  /** During a turn the message is queued, and sent when the turn has ended. */
  sendMessage: (content: string, options?: SendOptions) => Promise<void>
  /** Stops the turn on the server. */
  stopGeneration: () => void
  clearMessages: () => void
  setMessages: (messages: AgentMessage[]) => void

  /** The conversation is being read for the first time. */
  isLoading: boolean
  loadError: Error | null
  reload: () => void
  /** A turn waits for a person's approval; nothing else runs. */
  isWaiting: boolean
  /** `reconnecting`: a turn may be running, and its stream is being found again. */
  connection: 'online' | 'reconnecting' | 'offline'
  title: string | null
  /** The same in all versions of the conversation; null while there is no other. */
  familyId: string | null
  /** The team that the conversation is with, once that is known. */
  teamId: string | null
  /** What another agent asked for: to be read, not to be answered. */
  isSubtask: boolean

  hasOlder: boolean
  isLoadingOlder: boolean
  loadOlder: () => Promise<void>

  queued: QueuedMessage[]
  removeQueued: (id: string) => void
  /** After that was refused: the first of them once more. */
  sendQueued: () => Promise<void>

  /** How the last turn ended; null while one runs, and before the first. */
  endedAs: TurnStatus | null
  /** Why the last turn failed, if it did. */
  problem: ChatProblem | null
  /** Goes on after an error ("Try again") or after a stop ("Continue"). */
  retry: () => Promise<void>

  /** Who holds the conversation; null before it has begun, or when that agent is gone. */
  active: Active | null
  /** `auto` gives the choice back to the team's router. Optimistic, rolled back with a notice when refused. */
  switchAgent: (agentId: string) => Promise<void>
  /** Where its holder changed and no message tells it. */
  switches: readonly Switch[]
  /** An agent said that another takes over, and did nothing about it. */
  suggestion: { agentId: string; agentName: string } | null
  dismissSuggestion: () => void
  /** Something the server wants the person to know about this turn, such as a fallback. */
  notice: string | null
  /** What keeps the turn that runs waiting, such as a database that doesn't answer. It may pass. */
  trouble: string | null

  approve: (approval: Shown, options?: { args?: unknown; always?: boolean }) => Promise<void>
  reject: (approval: Shown, reason?: string) => Promise<void>

  /** Where this conversation and its other versions part. */
  versions: ForkPoint[]
  /** Sends the person's message again in other words, as a new version. */
  editMessage: (messageId: string, content: string) => Promise<void>
  /** A new answer to the person's message before this one, as a new version. */
  regenerate: (messageId: string) => Promise<void>
  /** Tools have changed something that another version from this message on, or from the question to this answer, leaves as it is. */
  wroteSince: (messageId: string) => Promise<boolean>
}
