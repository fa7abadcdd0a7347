import { Link } from 'wouter'
import type { Usage } from '@/chat/types'
import { Popover } from '@/components/ui/popover'
import { money } from '@/lib/amounts'
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
    ['Read', `${usage.inputTokens.toLocaleString()} tokens`],
    ...optional('of these cached', usage.cacheReadTokens),
    ['Written', `${usage.outputTokens.toLocaleString()} tokens`],
    ...optional('of these thinking', usage.reasoningTokens),
    ['Cost', money(usage.costUsd)],
    ...(model === undefined ? [] : [['Model', model] satisfies [string, string]]),
  ]
  return (
    <Popover label="Usage" defaultOpen trigger={<UsageTrigger />}>
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
          How this turn went
        </Link>
      )}
    </Popover>
  )
}

function optional(name: string, tokens: number | undefined): [string, string][] {
  return tokens === undefined || tokens === 0 ? [] : [[name, `${tokens.toLocaleString()} tokens`]]
}
