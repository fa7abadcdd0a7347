import type { LocalAgent } from '@/api/types'
import { ModelOptions } from '@/components/agents/model-options'
import { SettingsSection } from '@/components/forms/section'
import { SelectField, TextareaField, TextField } from '@/components/ui/fields'
import { useModels } from '@/hooks/use-server'
import { type AgentFormProps, isJsonObject, MAX_TURNS } from './agent-draft'
import { PERMISSION_MODES } from './differences'

/** What the agent thinks with, and how far it may go by itself. */
export function ModelSection(props: AgentFormProps & { isAdmin: boolean }) {
  const { form, readOnly } = props
  const { data: models } = useModels()
  return (
    <SettingsSection id="model" title="Model and limits" description="What it thinks with, and how far it may go by itself.">
      <div className="grid gap-5">
        <div className="grid gap-5 sm:grid-cols-2">
          <SelectField
            label="Model"
            {...form.field('model')}
            disabled={readOnly}
            hint={models?.demo === true ? 'No provider is set up, so the demo model answers for all of them.' : undefined}
          >
            <ModelOptions current={form.draft.model} />
          </SelectField>
          <TextField
            label="Most steps per turn"
            {...form.field('max_turns')}
            type="number"
            min={1}
            max={MAX_TURNS}
            readOnly={readOnly}
            hint="How often it may call its model for one message."
          />
        </div>
        <PermissionField {...props} />
      </div>
    </SettingsSection>
  )
}

const MODES = Object.keys(PERMISSION_MODES) as LocalAgent['permission_mode'][]

/** When a person must approve what the agent does. */
function PermissionField({ form: { draft, change, problemWith }, readOnly, isAdmin }: AgentFormProps & { isAdmin: boolean }) {
  const problem = problemWith('permission_mode')
  return (
    <fieldset name="permission_mode" tabIndex={-1} className="grid min-w-0 gap-1.5 outline-none" aria-describedby="permission-problem">
      <legend className="mb-1.5 text-sm font-medium">Permission mode</legend>
      <div className="grid gap-2">
        {MODES.map((mode) => (
          <label
            key={mode}
            className="flex items-start gap-3 rounded-lg border border-border p-3 text-sm has-checked:border-brand has-checked:bg-brand-subtle"
          >
            <input
              type="radio"
              name="permission-mode-choice"
              checked={draft.permission_mode === mode}
              disabled={readOnly || (mode === 'bypassPermissions' && !isAdmin)}
              className="mt-0.5 size-4 shrink-0 accent-primary"
              onChange={() => {
                change({ permission_mode: mode })
              }}
            />
            <span>
              <span className="block font-medium">{PERMISSION_MODES[mode].label}</span>
              <span className="text-muted">{PERMISSION_MODES[mode].note}</span>
            </span>
          </label>
        ))}
      </div>
      <p id="permission-problem" className="text-sm text-danger">
        {problem}
      </p>
    </fieldset>
  )
}

/** What programs keep with an agent. */
export function AdvancedSection({ form, readOnly }: AgentFormProps) {
  const live = isJsonObject(form.draft.config) ? undefined : 'This is not a JSON object.'
  return (
    <SettingsSection id="advanced" title="Advanced">
      <TextareaField
        label="Config"
        {...form.field('config')}
        readOnly={readOnly}
        spellCheck={false}
        hint="A JSON object that programs keep with the agent. Its model never sees it."
        problem={live ?? form.problemWith('config')}
        controlClass="font-mono text-sm! leading-5 sm:text-xs!"
      />
    </SettingsSection>
  )
}
