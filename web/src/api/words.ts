// What the record says about handoffs, in words for people.
import { sentenceCase } from '@/lib/text'
import type { Transition } from './types'

const TRIGGERS: Partial<Record<string, string>> = {
  user: 'Switched by a person',
  model: 'Handed off by the agent',
  router: 'Chosen by the router',
  completion: 'Stage or task completed',
  fallback: 'Fallback: the agent is gone',
  rollback: 'Given back: the next agent failed',
} satisfies Record<Transition['trigger'], string>

const OUTCOMES: Record<Transition['outcome'], string> = {
  completed: 'Completed',
  refused: 'Refused',
  ignored: 'Ignored',
  rolled_back: 'Rolled back',
}

const REFUSALS: Partial<Record<string, string>> = {
  same_agent: 'It was that agent already',
  hop_limit: 'Too many handoffs in one turn',
  loop: 'Handed back and forth already',
  context_too_large: 'Too much was passed along',
  wrong_variables: 'What was passed along did not fit',
  wrong_result: 'The result of the stage did not fit',
  no_tool: 'The tool was taken away',
  target_gone: 'The agent is gone',
  unknown_agent: 'There is no such agent',
  sign_in_required: 'Signing in is required',
  premium_required: 'A premium account is required',
}

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
