import { SwitchField } from '@/components/ui/switch-field'
import { useSwitch } from '@/hooks/use-switch'

/** Who speaks to the computer, or has keys pressed by chance, can turn off what a single character does. */
export function HelpKeySwitch() {
  const [on, set] = useSwitch('baton.help-key')
  return (
    <SwitchField
      label="? opens the keyboard shortcuts"
      hint="They are in the menu with your name as well."
      checked={on}
      onChange={set}
    />
  )
}
