import type { TaskUsage } from '@/api/types'
import { money, short } from '@/lib/amounts'

/** `1.2K in · 43 out · $0.00`. */
export function UsageLine({ usage }: { usage: TaskUsage }) {
  const { inputTokens, outputTokens, costUsd } = usage
  return (
    <span className="tabular-nums" title={`${inputTokens.toLocaleString()} tokens in, ${outputTokens.toLocaleString()} out`}>
      {short(inputTokens)} in · {short(outputTokens)} out · {costUsd === null ? 'cost unknown' : money(costUsd)}
    </span>
  )
}
