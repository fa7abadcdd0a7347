import { useState } from 'react'
import { onDemand, type OnDemand } from './load-on-demand'
import type { UsagePopoverProps } from './usage-popover'
import { UsageTrigger } from './usage-trigger'

/** Tokens and cost of a message, for those who ask. */
export function UsageButton(props: UsagePopoverProps) {
  const [parts, setParts] = useState<OnDemand | null>(null)
  if (parts !== null) return <parts.UsagePopover {...props} />
  return (
    <UsageTrigger
      aria-haspopup="dialog"
      aria-expanded={false}
      onClick={() => {
        onDemand(setParts)
      }}
    />
  )
}
