import type { Models } from '@/api/types'
import { modelPrices } from '@/api/words'
import { Badge } from '@/components/ui/badge'

/** What names stand for, and what that costs. */
export function AliasList({ aliases }: { aliases: Models['aliases'] }) {
  return (
    <ul className="divide-y divide-border">
      {aliases.map((one) => (
        <li
          key={one.alias}
          className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-4 py-2.5 text-sm first:pt-0 last:pb-0 sm:grid-cols-[10rem_minmax(0,1fr)_auto]"
        >
          <span className="font-medium wrap-anywhere">{one.alias}</span>
          <span className="col-start-1 row-start-2 min-w-0 font-mono text-xs text-muted wrap-anywhere sm:col-start-2 sm:row-start-1">
            {one.model ?? <Badge tone="dashed">No model for it here</Badge>}
          </span>
          <span className="text-right text-muted tabular-nums sm:col-start-3">{modelPrices(one)}</span>
        </li>
      ))}
    </ul>
  )
}
