import type { AgentDraft, AgentFormProps } from '@/components/agent-editor/agent-draft'
import { SettingsSection } from '@/components/forms/settings-section'
import { SwitchField } from '@/components/ui/switch-field'

const FLAGS: { field: 'is_restricted' | 'is_default' | 'is_free'; label: string; hint: string }[] = [
  { field: 'is_restricted', label: 'Premium only', hint: 'People with a free profile, guests and visitors can’t use it.' },
  { field: 'is_default', label: 'Default agent', hint: 'Of a workspace whose admins hire it and that has none yet: it answers unless another is chosen, and visitors reach it.' },
  { field: 'is_free', label: 'Shown as free', hint: 'A label in the catalog; it opens and closes nothing.' },
]

export function EntryAccess({ draft, change, problemWith }: AgentFormProps) {
  return (
    <SettingsSection title="Access" description="Who can use it where it is hired.">
      <div className="grid gap-4">
        {FLAGS.map(({ field, label, hint }) => (
          <SwitchField
            key={field}
            name={field}
            label={label}
            hint={hint}
            checked={draft[field]}
            problem={problemWith(field)}
            onChange={(checked) => {
              const changes: Partial<AgentDraft> = { [field]: checked }
              change(changes)
            }}
          />
        ))}
      </div>
    </SettingsSection>
  )
}
