import { Tooltip as Primitive } from 'radix-ui'
import type { FocusEvent, ReactNode } from 'react'

/** Around everything that has tooltips: beside one that is shown, the next is shown without delay. */
export function Tooltips({ children }: { children: ReactNode }) {
  return (
    <Primitive.Provider delayDuration={400} skipDelayDuration={200}>
      {children}
    </Primitive.Provider>
  )
}

interface TooltipProps {
  /** What the control does, in a few words. The control has a label of its own: a tooltip never opens on touch. */
  label: ReactNode
  side?: 'top' | 'bottom'
  /** A button or a link. */
  children: ReactNode
}

export function Tooltip({ label, side = 'top', children }: TooltipProps) {
  return (
    <Primitive.Root>
      <Primitive.Trigger asChild onFocus={onlyByKeyboard}>
        {children}
      </Primitive.Trigger>
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
  )
}

/** A tap focuses its button, and so does a drawer that closes: nothing would close a tooltip that opened then. */
function onlyByKeyboard(event: FocusEvent): void {
  if (!event.target.matches(':focus-visible') || window.matchMedia('(hover: none)').matches) event.preventDefault()
}
