// The log of a chain of tasks as spans on one clock: what began where, and how long it took.
import type { Task, TaskStep, TaskTree, TaskUsage } from '@/api/types'
import { toolWords } from '@/lib/text'
import { words as common } from '@/words/en/common'
import { words } from '@/words/en/tasks'
import { say } from '@/words/say'
import { field, kindOf, lostUsageOf, numberOf, textOf } from './step-body'

export type SpanKind = 'person' | 'model' | 'tool' | 'approval' | 'router' | 'handoff' | 'stage' | 'error' | 'end'

/** `cut`: nothing answered it, because the server stopped or its task ended before. */
export type SpanState = 'open' | 'ended' | 'failed' | 'cut'

export interface Span {
  /** The number of its first step in the conversation's log. */
  seq: number
  kind: SpanKind
  label: string
  task: Task
  /** Milliseconds since the chain began. A moment has no length. */
  start: number
  end: number
  state: SpanState
  /** A model call that was cut was made again. What it used is a guess: the provider may charge it. */
  retried: { lost: TaskUsage | undefined } | undefined
  /** What it is made of: a call and its answer, for example. */
  steps: TaskStep[]
}

export interface Timeline {
  spans: Span[]
  /** Milliseconds; never 0, so that it can be divided by. */
  length: number
}

/** `now` ends what hasn't ended. */
export function timeline(tree: TaskTree, now = Date.now()): Timeline {
  const zero = time(tree.created_at)
  const last = (tree.ended_at === null ? now : time(tree.ended_at)) - zero
  const spans = tree.tasks.flatMap((task) => spansOf(task, zero, task.ended_at === null ? last : time(task.ended_at) - zero))
  return { spans, length: Math.max(1, last, ...spans.map(({ end }) => end)) }
}

function spansOf(task: Task, zero: number, last: number): Span[] {
  const spans: Span[] = []
  const waiting = new Map<string, Span>()
  for (const step of task.steps) {
    const at = time(step.created_at) - zero
    if (step.type === 'thinking') {
      // It belongs to the call that is about to close.
      waiting.get('call')?.steps.push(step)
      continue
    }
    const closing = closes(step)
    const opened = closing === undefined ? undefined : waiting.get(closing)
    if (closing !== undefined && opened !== undefined) {
      waiting.delete(closing)
      close(opened, step, at)
      continue
    }
    const opening = opens(step)
    const replaced = opening === undefined ? undefined : waiting.get(opening)
    if (replaced !== undefined) cut(replaced, step, at)
    const look = lookOf(step)
    if (look === undefined) continue
    const lasted = look.kind === 'router' ? (numberOf(step, 'duration_ms') ?? 0) : 0
    const span: Span = {
      ...look,
      seq: step.seq,
      task,
      start: Math.max(0, at - lasted),
      end: opening === undefined ? at : Math.max(at, last),
      state: stateOf(look.kind, opening !== undefined, task),
      retried: undefined,
      steps: [step],
    }
    spans.push(span)
    if (opening !== undefined) waiting.set(opening, span)
  }
  return spans
}

/** With how it ended, if that was not by itself. */
export function fullLabel({ label, state, retried }: Span): string {
  if (state !== 'cut') return label
  return retried === undefined ? say(words.labelCut, { label }) : say(words.labelCutAndTriedAgain, { label })
}

/** What nothing has ended goes on, but not for longer than its task. */
function stateOf(kind: SpanKind, isOpen: boolean, task: Task): SpanState {
  if (isOpen) return task.ended_at === null ? 'open' : 'cut'
  return kind === 'error' ? 'failed' : 'ended'
}

/** After a crash the same call is made again, which ends the one before it. */
function cut(span: Span, again: TaskStep, at: number): void {
  span.state = 'cut'
  span.end = Math.max(span.start, at)
  span.retried = { lost: lostUsageOf(again) }
}

function close(span: Span, step: TaskStep, at: number): void {
  span.steps.push(step)
  span.end = Math.max(span.start, at)
  span.state = field(step, 'success') === false || step.type === 'error' ? 'failed' : 'ended'
  if (span.kind === 'approval') span.label = `${span.label}: ${textOf(step, 'decision') ?? 'decided'}`
}

/** A step that something else will end, by what it is ended with. */
function opens(step: TaskStep): string | undefined {
  const kind = kindOf(step)
  if (kind === 'call') return 'call'
  if (kind === 'tool_call') return `tool ${textOf(step, 'call_id') ?? ''}`
  if (kind === 'approval_asked') return `approval ${textOf(step, 'approval_id') ?? ''}`
  return undefined
}

function closes(step: TaskStep): string | undefined {
  const kind = kindOf(step)
  // A message that ends before its call has closed ends the call too.
  if (kind === 'said' || kind === 'message_end') return 'call'
  if (kind === 'tool_result') return `tool ${textOf(step, 'call_id') ?? ''}`
  if (kind === 'approval_resolved') return `approval ${textOf(step, 'approval_id') ?? ''}`
  return undefined
}

const toAgent = (name: string | undefined) => (name === undefined ? words.toAnAgent : say(words.toName, { name }))

function lookOf(step: TaskStep): { kind: SpanKind; label: string } | undefined {
  const kind = kindOf(step)
  const tool = toolWords(textOf(step, 'display_name') ?? textOf(step, 'tool_name') ?? common.tool)
  if (kind === 'user') return { kind: 'person', label: field(step, 'synthetic') === true ? words.stageBegins : words.message }
  if (kind === 'call' || kind === 'said') return { kind: 'model', label: words.modelCall }
  if (kind === 'tool_call' || kind === 'tool_result') return { kind: 'tool', label: tool }
  if (kind === 'approval_asked') return { kind: 'approval', label: words.approval }
  if (kind === 'routed') return { kind: 'router', label: words.router }
  if (kind === 'handoff' || kind === 'switched') return { kind: 'handoff', label: toAgent(textOf(step, 'to_name')) }
  if (kind === 'snapshot') return { kind: 'stage', label: say(words.stageCompleted, { stage: textOf(step, 'stage') ?? '' }) }
  if (kind === 'error') return { kind: 'error', label: words.error }
  if (kind === 'done') return { kind: 'end', label: words.end }
  return undefined
}

function time(iso: string): number {
  return new Date(iso).getTime()
}
