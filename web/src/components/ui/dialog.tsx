import { Dialog as Primitive } from 'radix-ui'
import type { ReactNode } from 'react'
import { Overlay } from './overlay'

/** A function, where it is drawn anew meanwhile. */
export type Opener = HTMLElement | null | (() => HTMLElement | null)

interface DialogProps {
  onClose: () => void
  /** Gets the focus back afterwards. Given by hand: what opened the dialog may be a menu that is gone by now. */
  opener: Opener
  title: string
  description: ReactNode
  /** Beside the title. */
  icon?: ReactNode
  /** Between the description and the buttons. */
  children?: ReactNode
  /** The buttons, the one that goes on last. */
  actions: ReactNode
  /** An alert dialog interrupts: a click beside it doesn't close it. */
  role?: 'dialog' | 'alertdialog'
}

/** A modal that is open for as long as it is rendered. */
export function Dialog({ onClose, opener, title, description, icon, children, actions, role = 'dialog' }: DialogProps) {
  return (
    <Primitive.Root open onOpenChange={onClose}>
      <Primitive.Portal>
        <Overlay />
        <Primitive.Content
          role={role}
          aria-modal
          onInteractOutside={(event) => {
            if (role === 'alertdialog') event.preventDefault()
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            const from = typeof opener === 'function' ? opener() : opener
            if (from?.isConnected) from.focus({ preventScroll: true })
            else if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true })
          }}
          className="fixed inset-x-4 bottom-[max(1rem,env(safe-area-inset-bottom))] z-50 mx-auto flex max-h-[calc(100dvh-2rem)] max-w-md animate-rise-in flex-col gap-4 overflow-y-auto rounded-xl border border-border bg-surface p-5 shadow-float focus:outline-none sm:inset-y-0 sm:my-auto sm:h-fit sm:p-6"
        >
          <div className="flex items-center gap-3">
            {icon}
            <Primitive.Title className="min-w-0 text-lg font-semibold tracking-tight wrap-anywhere">
              {title}
            </Primitive.Title>
          </div>
          <Primitive.Description className="text-sm text-muted wrap-anywhere">{description}</Primitive.Description>
          {children}
          <div className="mt-1 flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">{actions}</div>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}
