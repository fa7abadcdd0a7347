import { useEffect, useEffectEvent } from 'react'
import { useSwitch } from '@/hooks/use-switch'
import { asksForHelp } from './asks-for-help'
import { useShortcutsDialog } from './use-shortcuts-dialog'

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
