import { ModelOptions } from '@/components/agents/model-options'
import { SettingsSection } from '@/components/forms/settings-section'
import { SelectField } from '@/components/ui/select-field'
import { TextField } from '@/components/ui/text-field'
import { useModels } from '@/hooks/use-models'
import { type AgentFormProps, MAX_TURNS } from './agent-draft'
import { PermissionField } from './permission-field'

/** What the agent thinks with, and how far it may go by itself. */
export function ModelSection(props: AgentFormProps & { isAdmin: boolean }) {
  const { draft, change, problemWith, readOnly } = props
  const { data: models } = useModels()
  return (
    <SettingsSection id="model" title="Model and limits" description="What it thinks with, and how far it may go by itself.">
      <div className="grid gap-5">
        <div className="grid gap-5 sm:grid-cols-2">
          <SelectField
            label="Model"
            name="model"
            value={draft.model}
            disabled={readOnly}
            hint={models?.demo === true ? 'No provider is set up, so the demo model answers for all of them.' : undefined}
            problem={problemWith('model')}
            onChange={(model) => {
              change({ model })
            }}
          >
            <ModelOptions current={draft.model} />
          </SelectField>
          <TextField
            label="Most steps per turn"
            name="max_turns"
            type="number"
            min={1}
            max={MAX_TURNS}
            value={draft.max_turns}
            readOnly={readOnly}
            hint="How often it may call its model for one message."
            problem={problemWith('max_turns')}
            onChange={(max_turns) => {
              change({ max_turns })
            }}
          />
        </div>
        <PermissionField {...props} />
      </div>
    </SettingsSection>
  )
}
