// Changes of hands beside the messages, as the thread shows them.
import { words } from '@/words/en/chat'
import { words as common } from '@/words/en/common'
import { say } from '@/words/say'
import type { Switch } from './types'

/** What is shown, by the message it stands after. */
export type Marks = ReadonlyMap<string, Switch>

/** Of several in a row only where they led counts, and nothing if a person led it back to where it began. */
export function marksByMessage(switches: readonly Switch[]): Marks {
  const marks = new Map<string, Switch>()
  for (const mark of switches) {
    // Who was chosen before the first word is who the conversation is with.
    if (mark.after === null) continue
    const earlier = marks.get(mark.after)
    const from = earlier?.from ?? mark.from
    if (earlier !== undefined && from === mark.to && mark.by !== 'fallback') marks.delete(mark.after)
    else marks.set(mark.after, { ...mark, from })
  }
  return marks
}

export function switchWords({ from, fromName = common.theAgent, to, toName, by, pinned }: Switch): string {
  if (by === 'fallback') return say(words.goesOn, { fromName, toName })
  if (by === 'rollback') return say(words.backWith, { toName })
  if (from !== to) return say(words.switchedTo, { toName })
  return pinned ? say(words.keepsTheConversation, { toName }) : words.autoChooses
}
