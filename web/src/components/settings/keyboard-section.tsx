import { SettingsSection } from '@/components/forms/settings-section'
import { HelpKeySwitch } from '@/components/keyboard/help-key-switch'
import { SwitchField } from '@/components/ui/switch-field'
import { useSwitch } from '@/hooks/use-switch'

/** What keys do for this person, in this browser. */
export function KeyboardSection() {
  const [enterSends, setEnterSends] = useSwitch('baton.enter-sends')
  return (
    <SettingsSection title="Keyboard" description="Kept in this browser, and in force at once.">
      <div className="grid gap-4">
        <SwitchField
          label="Enter sends a message"
          hint="Shift+Enter makes a new line. When off, Enter makes it too. Ctrl+Enter, or ⌘+Enter on a Mac, always sends; on phones Enter always makes a new line."
          checked={enterSends}
          onChange={setEnterSends}
        />
        <HelpKeySwitch />
      </div>
    </SettingsSection>
  )
}
