// What the record says about handoffs, in words for people.
import { sentenceCase } from '@/lib/text'
import { words } from '@/words/en/api'
import type { Transition } from './types'

const TRIGGERS: Partial<Record<string, string>> = words.triggers satisfies Record<Transition['trigger'], string>

const OUTCOMES: Record<Transition['outcome'], string> = words.outcomes

const REFUSALS: Partial<Record<string, string>> = words.refusals

export function triggerWords(trigger: string): string {
  return TRIGGERS[trigger] ?? sentenceCase(trigger)
}

export function outcomeWords(outcome: Transition['outcome']): string {
  return OUTCOMES[outcome]
}

/** A code that came after this was written is still readable. */
export function refusalWords(code: string): string {
  return REFUSALS[code] ?? sentenceCase(code)
}

/** What was passed along, without the marks of Baton's own: their names begin with `_`. */
export function passedContext(context: Record<string, unknown>): [string, unknown][] {
  return Object.entries(context).filter(([name]) => !name.startsWith('_'))
}
