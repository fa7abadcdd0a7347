import type { AgentFormProps } from '@/components/agent-editor/agent-draft'
import { SettingsSection } from '@/components/forms/settings-section'
import { TextareaField } from '@/components/ui/textarea-field'

export function EntryInstructions({ draft, change, problemWith }: AgentFormProps) {
  return (
    <SettingsSection title="Instructions" description="What it does, and how it begins.">
      <div className="grid gap-5">
        <TextareaField
          label="System prompt"
          name="system_prompt"
          value={draft.system_prompt}
          rows={8}
          controlClass="min-h-48!"
          maxLength={100_000}
          problem={problemWith('system_prompt')}
          onChange={(system_prompt) => {
            change({ system_prompt })
          }}
        />
        <TextareaField
          label="Initial prompt"
          name="initial_prompt"
          value={draft.initial_prompt}
          rows={2}
          maxLength={4_000}
          hint="Optional. The first words it says in a new conversation."
          problem={problemWith('initial_prompt')}
          onChange={(initial_prompt) => {
            change({ initial_prompt })
          }}
        />
      </div>
    </SettingsSection>
  )
}
