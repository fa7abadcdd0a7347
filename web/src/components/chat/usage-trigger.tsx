import { Gauge } from 'lucide-react'
import type { ComponentProps } from 'react'

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
