// How a chain of tasks hangs together: who handed to whom, and what a router used for it.
import type { Task, TaskStep, TaskTree, TaskUsage } from '@/api/types'
import { passedContext } from '@/api/words'
import { field, kindOf, textOf, usageOf } from './step-body'

export interface ChainLink {
  task: Task
  /** How this task began; undefined for the first. */
  handoff: { trigger: string; reason: string | undefined; stage: string | undefined; context: [string, unknown][] } | undefined
  /** What the router that ran within this task used. Part of the task's own usage. */
  router: TaskUsage | undefined
}

export function chain(tree: TaskTree): ChainLink[] {
  const steps = tree.tasks.flatMap((task) => task.steps)
  return tree.tasks.map((task) => {
    const step = steps.find((candidate) => kindOf(candidate) === 'handoff' && field(candidate, 'task_id') === task.id)
    const handoff = step === undefined ? undefined : handoffOf(step, { ...stageResult(step, steps), ...task.context })
    return { task, handoff, router: routerOf(task) }
  })
}

function handoffOf(step: TaskStep, context: Record<string, unknown>): ChainLink['handoff'] {
  const stage = field(step, 'stage')
  const name = typeof stage === 'object' && stage !== null && 'name' in stage ? String(stage.name) : undefined
  return {
    trigger: textOf(step, 'trigger') ?? 'model',
    reason: textOf(step, 'reason'),
    stage: name,
    context: passedContext(context),
  }
}

/** A finished stage hands its result on, which is written down apart. */
function stageResult(handoff: TaskStep, steps: readonly TaskStep[]): Record<string, unknown> {
  if (textOf(handoff, 'trigger') !== 'completion') return {}
  const snapshot = steps.findLast((step) => kindOf(step) === 'snapshot' && step.seq < handoff.seq)
  const data = snapshot && field(snapshot, 'data')
  return typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {}
}

function routerOf(task: Task): TaskUsage | undefined {
  const usages = task.steps.filter((step) => kindOf(step) === 'routed').map(usageOf)
  return usages.reduce((sum, usage) => (sum === undefined || usage === undefined ? (sum ?? usage) : add(sum, usage)), undefined)
}

export function add(a: TaskUsage, b: TaskUsage): TaskUsage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
    reasoningTokens: a.reasoningTokens + b.reasoningTokens,
    costUsd: a.costUsd === null || b.costUsd === null ? null : a.costUsd + b.costUsd,
  }
}
