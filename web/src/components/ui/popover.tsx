import { Popover as Primitive } from 'radix-ui'
import type { ReactNode } from 'react'

interface PopoverProps {
  /** A button; it gets the handlers and ARIA attributes. */
  trigger: ReactNode
  label: string
  align?: 'start' | 'end'
  defaultOpen?: boolean
  children: ReactNode
}

/** A small panel at its button, for what is wanted now and then. */
export function Popover({ trigger, label, align = 'start', defaultOpen, children }: PopoverProps) {
  return (
    <Primitive.Root defaultOpen={defaultOpen}>
      <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          aria-label={label}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 animate-fade-in rounded-lg border border-border bg-surface p-3 text-sm shadow-float focus:outline-none"
        >
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}
