// What a chain of tasks was, in a few numbers that no single step tells.
import type { TaskTree } from '@/api/types'
import { words } from '@/words/en/tasks'
import { kindOf, textOf } from './step-body'
import { timeline, type Span } from './timeline'

export interface TaskFacts {
  /** Each once, in the order they were first used. */
  models: string[]
  modelCalls: number
  /** How many of them were cut and made again. */
  retries: number
  toolCalls: number
  failedTools: number
  /** How long people were asked, in milliseconds. */
  waited: number
}

export interface TaskError {
  seq: number
  agent: string | null
  code: string | undefined
  message: string
}

export function facts(tree: TaskTree, now = Date.now()): TaskFacts {
  const { spans } = timeline(tree, now)
  const models = tree.tasks.flatMap(({ steps }) => steps.map((step) => textOf(step, 'model')))
  const calls = spans.filter(({ kind }) => kind === 'model')
  const tools = spans.filter(({ kind }) => kind === 'tool')
  return {
    models: [...new Set(models.filter((model) => model !== undefined))],
    modelCalls: calls.length,
    retries: calls.filter(({ retried }) => retried !== undefined).length,
    toolCalls: tools.length,
    failedTools: tools.filter(({ state }) => state === 'failed').length,
    waited: covered(spans.filter(({ kind }) => kind === 'approval')),
  }
}

export function errorsOf(tree: TaskTree): TaskError[] {
  return tree.tasks.flatMap((task) =>
    task.steps
      .filter((step) => kindOf(step) === 'error')
      .map((step) => ({ seq: step.seq, agent: task.agent_name, code: textOf(step, 'code'), message: textOf(step, 'message') ?? words.somethingWentWrong })),
  )
}

/** The time that spans take together. Those that overlap count once. */
function covered(spans: readonly Span[]): number {
  let total = 0
  let until = 0
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    total += Math.max(0, end - Math.max(start, until))
    until = Math.max(until, end)
  }
  return total
}
