// A step's body is an object whose fields depend on its `step`. These read one field without trusting its shape.
import type { TaskStep, TaskUsage } from '@/api/types'

export function field(step: TaskStep, name: string): unknown {
  return (step.body as Record<string, unknown>)[name]
}

/** What kind of step it is, finer than its `type`. */
export function kindOf(step: TaskStep): string {
  return textOf(step, 'step') ?? step.type
}

export function textOf(step: TaskStep, name: string): string | undefined {
  const value = field(step, name)
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function numberOf(step: TaskStep, name: string): number | undefined {
  const value = field(step, name)
  return typeof value === 'number' ? value : undefined
}

export function usageOf(step: TaskStep): TaskUsage | undefined {
  return usageIn(step, 'usage')
}

/** What the call that this one replaces used before a crash cut it, as far as can be guessed. */
export function lostUsageOf(step: TaskStep): TaskUsage | undefined {
  return usageIn(step, 'lost_usage')
}

function usageIn(step: TaskStep, name: string): TaskUsage | undefined {
  const value = field(step, name)
  return typeof value === 'object' && value !== null ? (value as TaskUsage) : undefined
}
