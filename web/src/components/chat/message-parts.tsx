import { Brain } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { passedContext } from '@/api/words'
import type { AgentMessage, ApprovalPart, MessagePart, StagePart, ToolCallPart } from '@/chat/types'
import { words } from '@/words/en/chat'
import { ApprovalStep } from './approval-step'
import { Disclosure } from './disclosure'
import { HandoffMarker, StageMarker } from './handoff-marker'
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
  // A provider may use an id twice: what counts is what comes of this call, before the next of that name.
  const next = parts.slice(parts.indexOf(call) + 1).find((part) => part.type !== 'approval' && idOf(part) === call.toolCallId)
  return next?.type === 'handoff' || next?.type === 'stage'
}

function idOf(part: MessagePart): string | undefined {
  return 'toolCallId' in part ? part.toolCallId : undefined
}

/** What a stage was completed with. */
function resultBefore(stage: StagePart, parts: readonly MessagePart[]): [string, unknown][] {
  const before = parts.slice(0, parts.indexOf(stage))
  const call = before.findLast((part) => part.type === 'tool-call' && part.toolCallId === stage.toolCallId)
  return call?.type === 'tool-call' ? passedContext((call.args ?? {}) as Record<string, unknown>) : []
}

const loadMarkdown = () => import('./markdown')
const Markdown = lazy(loadMarkdown)

/** Called when a chat opens, so that the first answer doesn't change its look under one's eyes. */
export function prefetchMarkdown(): void {
  void loadMarkdown()
}

/** What an agent says. Plain until the markdown reader is here. */
function TextPartView({ text, open }: { text: string; open: boolean }) {
  return (
    <Suspense fallback={<p dir="auto" className="leading-relaxed whitespace-pre-wrap wrap-anywhere">{text}</p>}>
      <Markdown text={text} open={open} />
    </Suspense>
  )
}

interface ReasoningProps {
  text: string
  /** The agent is thinking this right now. */
  open: boolean
}

/** What an agent thought, folded away. */
function Reasoning({ text, open }: ReasoningProps) {
  return (
    <Disclosure
      quiet
      summary={
        <span className="flex min-w-0 items-center gap-2 text-muted">
          <Brain aria-hidden className={open ? 'size-4 animate-pulse' : 'size-4'} />
          {open ? words.thinking : words.thoughts}
        </span>
      }
    >
      <p dir="auto" className="mt-1 mb-2 max-h-80 overflow-y-auto border-s-2 border-border ps-3 text-sm whitespace-pre-wrap text-muted wrap-anywhere">
        {text}
      </p>
    </Disclosure>
  )
}
