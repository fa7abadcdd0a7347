import { Tooltip as Primitive } from 'radix-ui'
import type { ReactNode } from 'react'

interface TooltipProps {
  /** What the control does, in a few words. The control has a label of its own: a tooltip never opens on touch. */
  label: ReactNode
  side?: 'top' | 'bottom'
  /** A button or a link. */
  children: ReactNode
}

export function Tooltip({ label, side = 'top', children }: TooltipProps) {
  return (
    <Primitive.Provider delayDuration={400} skipDelayDuration={200}>
      <Primitive.Root>
        <Primitive.Trigger asChild>{children}</Primitive.Trigger>
        <Primitive.Portal>
          <Primitive.Content
            side={side}
            sideOffset={6}
            collisionPadding={8}
            className="z-60 max-w-64 animate-fade-in rounded-md bg-primary px-2 py-1 text-xs font-medium text-on-primary shadow-float"
          >
            {label}
          </Primitive.Content>
        </Primitive.Portal>
      </Primitive.Root>
    </Primitive.Provider>
  )
}
