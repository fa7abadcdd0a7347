import { passedContext } from '@/api/words'
import type { AgentMessage, ApprovalPart, MessagePart, StagePart, ToolCallPart } from '@/chat/types'
import { ApprovalStep } from './approval-step'
import { HandoffMarker } from './handoff-marker'
import { Reasoning } from './reasoning'
import { StageMarker } from './stage-marker'
import { TextPartView } from './text-part'
import { ToolCall } from './tool-call'

/** What an agent's message is made of, in the order in which it happened. */
export function MessageParts({ message, taskId }: { message: AgentMessage; taskId: string | undefined }) {
  const { parts, status } = message
  const live = status === 'streaming'
  return parts.map((part, index) => (
    // Parts are only ever added at the end, so their place is their name.
    <Part key={index} part={part} parts={parts} live={live} last={index === parts.length - 1} taskId={taskId} />
  ))
}

interface PartProps {
  part: MessagePart
  parts: readonly MessagePart[]
  live: boolean
  last: boolean
  taskId: string | undefined
}

function Part({ part, parts, live, last, taskId }: PartProps) {
  switch (part.type) {
    case 'text':
      return <TextPartView text={part.text} open={live && last} />
    case 'reasoning':
      return <Reasoning text={part.reasoning} open={live && last} />
    case 'tool-call': {
      if (isToldByMarker(part, parts)) return null
      const approval = approvalOf(part.toolCallId, parts)
      if (approval === undefined) return <ToolCall part={part} approval={undefined} live={live} taskId={taskId} />
      return <ApprovalStep call={part} approval={approval} live={live} />
    }
    case 'approval':
      return null
    case 'handoff':
      return <HandoffMarker part={part} />
    case 'stage':
      return <StageMarker part={part} passed={resultBefore(part, parts)} />
  }
}

function approvalOf(toolCallId: string, parts: readonly MessagePart[]): ApprovalPart | undefined {
  return parts.find((part): part is ApprovalPart => part.type === 'approval' && part.toolCallId === toolCallId)
}

/** The call of a handoff that took place, or of a stage that ended: the marker after it says the same. */
function isToldByMarker(call: ToolCallPart, parts: readonly MessagePart[]): boolean {
  if (call.state !== 'completed') return false
  const after = parts.slice(parts.indexOf(call))
  if (call.toolName === COMPLETE_STAGE) return after.some(({ type }) => type === 'stage')
  return /^(?:handoff_|switch_agent$)/.test(call.toolName) && after.some(({ type }) => type === 'handoff')
}

const COMPLETE_STAGE = 'complete_stage'

/** What a stage was completed with. */
function resultBefore(stage: StagePart, parts: readonly MessagePart[]): [string, unknown][] {
  const before = parts.slice(0, parts.indexOf(stage))
  const call = before.findLast((part) => part.type === 'tool-call' && part.toolName === COMPLETE_STAGE)
  return call?.type === 'tool-call' ? passedContext((call.args ?? {}) as Record<string, unknown>) : []
}
