import { Gauge } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { IconButton } from '@/components/ui/icon-button'
import { words } from '@/words/en/chat'
import { type OnDemand, onDemand } from './load-on-demand'
import type { UsagePopoverProps } from './usage-popover'

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

/** The button at which usage and cost are shown. */
export function UsageTrigger(props: ComponentProps<'button'>) {
  return (
    <IconButton label={words.usageAndCost} {...props}>
      <Gauge aria-hidden className="size-4" />
    </IconButton>
  )
}
