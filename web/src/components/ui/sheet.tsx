import { X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import type { ReactNode } from 'react'
import { buttonClass } from './button-class'
import { Overlay } from './overlay'

interface SheetProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Read out when it opens; not shown. */
  title: string
  children: ReactNode
}

/** A drawer from the left edge. */
export function Sheet({ open, onOpenChange, title, children }: SheetProps) {
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Overlay />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed inset-y-0 left-0 z-50 flex h-dvh w-72 max-w-[85vw] flex-col border-r border-border bg-background pt-[env(safe-area-inset-top)] pb-[env(safe-area-inset-bottom)] pl-[env(safe-area-inset-left)] shadow-float focus:outline-none animate-slide-in"
        >
          <Dialog.Title className="sr-only">{title}</Dialog.Title>
          {children}
          <Dialog.Close
            aria-label="Close"
            className={buttonClass('ghost', 'icon', 'absolute top-[calc(0.625rem+env(safe-area-inset-top))] right-2.5')}
          >
            <X aria-hidden className="size-5" />
          </Dialog.Close>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
