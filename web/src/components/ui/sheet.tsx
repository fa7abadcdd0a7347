import { clsx } from 'clsx'
import { X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { type ReactNode, useRef } from 'react'
import { words } from '@/words/en/common'
import { buttonClass } from './button'
import { Overlay } from './overlay'

interface SheetProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Read out when it opens; not shown. */
  title: string
  side?: 'left' | 'right'
  children: ReactNode
}

const SIDES = {
  left: 'left-0 w-72 animate-slide-in border-r pl-[env(safe-area-inset-left)]',
  right: 'right-0 w-80 animate-slide-in-right border-l pr-[env(safe-area-inset-right)]',
}

/** A drawer from an edge of the screen. */
export function Sheet({ open, onOpenChange, title, side = 'left', children }: SheetProps) {
  const opener = useRef<Element | null>(null)
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Overlay />
        <Dialog.Content
          aria-describedby={undefined}
          onOpenAutoFocus={() => {
            opener.current = document.activeElement
          }}
          onEscapeKeyDown={(event) => {
            // It is heard here before whatever has the focus hears it.
            if (event.target instanceof Element && event.target.closest('[data-keeps-escape]') !== null) event.preventDefault()
          }}
          onCloseAutoFocus={(event) => {
            // Nothing is known to Radix as its trigger: whoever opens a drawer gets the focus back, if it is still there,
            // and if what was chosen in the drawer hasn't put it elsewhere.
            if (!(opener.current instanceof HTMLElement) || !opener.current.isConnected) return
            event.preventDefault()
            if (document.activeElement === document.body) opener.current.focus()
          }}
          className={clsx(
            'fixed inset-y-0 z-50 flex h-dvh max-w-[85vw] flex-col border-border bg-background pt-[env(safe-area-inset-top)] pb-[env(safe-area-inset-bottom)] shadow-float focus:outline-none',
            SIDES[side],
          )}
        >
          <Dialog.Title className="sr-only">{title}</Dialog.Title>
          {children}
          <Dialog.Close
            aria-label={words.close}
            className={buttonClass('ghost', 'icon', 'absolute top-[calc(0.625rem+env(safe-area-inset-top))] right-2.5')}
          >
            <X aria-hidden className="size-5" />
          </Dialog.Close>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
