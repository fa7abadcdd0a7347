// What is known of a conversation: made from what the server stores, and gone on with by its stream.
import type { Active } from '@/api/types'
import type { AgentMessage, ChatProblem, Switch, TurnStatus, Usage } from './types'

export interface ChatState {
  messages: AgentMessage[]
  /** Where its holder changed and no message tells it, in their order. */
  switches: readonly Switch[]
  /** The last event that is in here; null before the first. */
  cursor: string | null
  active: Active | null
  turn: 'none' | 'running' | 'waiting'
  sessionId: string | null
  /** Of the last turn that is over. */
  usage: Usage | null
  /** How that one ended: also where no message tells it. */
  endedAs: TurnStatus | null
  problem: ChatProblem | null
  suggestion: { agentId: string; agentName: string } | null
  notice: string | null
  /** What keeps the turn that runs waiting; the next event that has an id says that it has passed. */
  trouble: string | null
  /** Messages whose last part may still grow. */
  open: readonly string[]
}

export const EMPTY: ChatState = {
  messages: [],
  switches: [],
  cursor: null,
  active: null,
  turn: 'none',
  sessionId: null,
  usage: null,
  endedAs: null,
  problem: null,
  suggestion: null,
  notice: null,
  trouble: null,
  open: [],
}

// A place in a conversation's log: `seq.off`, compared number by number.

/** Whether `cursor` is a later place than `than`. */
export function isLater(cursor: string, than: string | null): boolean {
  if (than === null) return true
  const [seq, off] = pair(cursor)
  const [thanSeq, thanOff] = pair(than)
  return seq === thanSeq ? off > thanOff : seq > thanSeq
}

function pair(cursor: string): [number, number] {
  const [seq, off] = cursor.split('.')
  return [Number(seq), Number(off ?? 0)]
}
