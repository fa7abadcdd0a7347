import { type ComponentType, type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { useSwitch } from '@/hooks/use-browser'
import { notify } from '@/lib/toasts'
import { words } from '@/words/en/common'

/** `?` opens the list of keys, unless that is turned off. */
export function HelpKey() {
  const [on] = useSwitch('baton.help-key')
  const { open, dialog } = useShortcutsDialog()
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!asksForHelp(event)) return
    const { activeElement } = document
    void open(activeElement instanceof HTMLElement && activeElement !== document.body ? activeElement : null)
  })
  useEffect(() => {
    if (!on) return
    document.addEventListener('keydown', onKey)
    return () => {
      document.removeEventListener('keydown', onKey)
    }
  }, [on])
  return dialog
}

/** Where a character is written, or chooses something by its first letter. */
const WRITES = 'input, textarea, select, [contenteditable]:not([contenteditable="false"])'
const OPEN = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]'

/** Whether a key is the bare `?` that asks for help. Not while someone writes, nor above something that is open. */
export function asksForHelp(event: KeyboardEvent): boolean {
  if (event.key !== '?' || event.defaultPrevented || event.isComposing || event.repeat) return false
  if (event.ctrlKey || event.metaKey || event.altKey) return false
  if (event.target instanceof Element && event.target.closest(WRITES) !== null) return false
  return document.querySelector(OPEN) === null
}

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
      notify(words.theKeyboardShortcutsCouldNot, 'error')
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
