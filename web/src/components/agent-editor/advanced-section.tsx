import { SettingsSection } from '@/components/forms/settings-section'
import { TextareaField } from '@/components/ui/textarea-field'
import { type AgentFormProps, isJsonObject } from './agent-draft'

/** What programs keep with an agent. */
export function AdvancedSection({ draft, change, problemWith, readOnly }: AgentFormProps) {
  const live = isJsonObject(draft.config) ? undefined : 'This is not a JSON object.'
  return (
    <SettingsSection id="advanced" title="Advanced">
      <TextareaField
        label="Config"
        name="config"
        value={draft.config}
        readOnly={readOnly}
        spellCheck={false}
        hint="A JSON object that programs keep with the agent. Its model never sees it."
        problem={live ?? problemWith('config')}
        controlClass="font-mono text-sm! leading-5 sm:text-xs!"
        onChange={(config) => {
          change({ config })
        }}
      />
    </SettingsSection>
  )
}
