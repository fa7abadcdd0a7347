import type { LocalAgent } from '@/api/types'
import { ModelOptions } from '@/components/agents/model-options'
import { SettingsSection } from '@/components/forms/section'
import { SelectField, TextareaField, TextField } from '@/components/ui/fields'
import { useModels } from '@/hooks/use-server'
import { words } from '@/words/en/agent-editor'
import { words as common } from '@/words/en/common'
import { type AgentFormProps, isJsonObject, MAX_TURNS } from './agent-draft'
import { PERMISSION_MODES } from './differences'

/** What the agent thinks with, and how far it may go by itself. */
export function ModelSection(props: AgentFormProps & { isAdmin: boolean }) {
  const { form, readOnly } = props
  const { data: models } = useModels()
  return (
    <SettingsSection id="model" title={words.modelAndLimits} description={words.modelAndLimitsDescription}>
      <div className="grid gap-5">
        <div className="grid gap-5 sm:grid-cols-2">
          <SelectField
            label={common.model}
            {...form.field('model')}
            disabled={readOnly}
            hint={models?.demo === true ? words.noProviderIsSetUp : undefined}
          >
            <ModelOptions current={form.draft.model} />
          </SelectField>
          <TextField
            label={words.mostStepsPerTurn}
            {...form.field('max_turns')}
            type="number"
            min={1}
            max={MAX_TURNS}
            readOnly={readOnly}
            hint={words.mostStepsPerTurnHint}
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
      <legend className="mb-1.5 text-sm font-medium">{words.permissionMode}</legend>
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
  const live = isJsonObject(form.draft.config) ? undefined : words.thisIsNotAJSON
  return (
    <SettingsSection id="advanced" title={words.advanced}>
      <TextareaField
        label={words.config}
        {...form.field('config')}
        readOnly={readOnly}
        spellCheck={false}
        hint={words.configHint}
        problem={live ?? form.problemWith('config')}
        controlClass="font-mono text-sm! leading-5 sm:text-xs!"
      />
    </SettingsSection>
  )
}
