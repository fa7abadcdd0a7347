import { Link } from 'wouter'
import type { Usage } from '@/chat/types'
import { Popover } from '@/components/ui/popover'
import { money } from '@/lib/amounts'
import { words } from '@/words/en/chat-on-demand'
import { words as common } from '@/words/en/common'
import { say } from '@/words/say'
import { UsageTrigger } from './usage-button'

export interface UsagePopoverProps {
  usage: Usage
  model: string | undefined
  /** The turn, if it is known. */
  taskId: string | undefined
}

/** Tokens and cost of a message, open from the start. */
export function UsagePopover({ usage, model, taskId }: UsagePopoverProps) {
  const rows: [string, string][] = [
    [words.read, say(words.tokens, { tokens: usage.inputTokens })],
    ...optional(words.ofTheseCached, usage.cacheReadTokens),
    [words.written, say(words.tokens, { tokens: usage.outputTokens })],
    ...optional(words.ofTheseThinking, usage.reasoningTokens),
    [common.cost, money(usage.costUsd)],
    ...(model === undefined ? [] : [[common.model, model] satisfies [string, string]]),
  ]
  return (
    <Popover label={words.usage} defaultOpen trigger={<UsageTrigger />}>
      <dl className="grid grid-cols-[auto_auto] gap-x-6 gap-y-1">
        {rows.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="text-right tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      {taskId !== undefined && (
        <Link to={`/agents/tasks/${taskId}`} className="mt-3 block border-t border-border pt-2 font-medium text-brand hover:underline">
          {words.howThisTurnWent}
        </Link>
      )}
    </Popover>
  )
}

function optional(name: string, tokens: number | undefined): [string, string][] {
  return tokens === undefined || tokens === 0 ? [] : [[name, say(words.tokens, { tokens })]]
}
