import { Gauge } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
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
    <button
      type="button"
      aria-label="Usage and cost"
      className="inline-flex size-7 items-center justify-center rounded-md text-muted transition-colors hover:bg-subtle hover:text-foreground pointer-coarse:size-10"
      {...props}
    >
      <Gauge aria-hidden className="size-4" />
    </button>
  )
}
