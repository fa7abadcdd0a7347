import { type ComponentType, type ReactNode, useState } from 'react'
import { notify } from '@/lib/toasts'

interface Shown {
  Dialog: ComponentType<{ opener: HTMLElement | null; onClose: () => void }>
  opener: HTMLElement | null
}

/** The list of keys, loaded when someone asks for it. */
export function useShortcutsDialog(): { open: (opener: HTMLElement | null) => Promise<void>; dialog: ReactNode } {
  const [shown, setShown] = useState<Shown | null>(null)

  async function open(opener: HTMLElement | null): Promise<void> {
    try {
      const { ShortcutsDialog } = await import('./shortcuts-dialog')
      setShown({ Dialog: ShortcutsDialog, opener })
    } catch {
      notify('The keyboard shortcuts could not be loaded. Check the connection and try again.', 'error')
    }
  }

  const dialog = shown !== null && (
    <shown.Dialog
      opener={shown.opener}
      onClose={() => {
        setShown(null)
      }}
    />
  )
  return { open, dialog }
}
