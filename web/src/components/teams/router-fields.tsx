import { ModelOptions } from '@/components/agents/model-options'
import { SettingsSection } from '@/components/forms/settings-section'
import { SelectField } from '@/components/ui/select-field'
import { TextareaField } from '@/components/ui/textarea-field'
import type { TeamDraft } from './team-draft'

interface RouterFieldsProps {
  draft: TeamDraft
  change: (changes: Partial<TeamDraft>) => void
  problemWith: (field: string) => string | undefined
  readOnly: boolean
}

/** How the router of a team decides. */
export function RouterFields({ draft, change, problemWith, readOnly }: RouterFieldsProps) {
  return (
    <SettingsSection title="Router" description="It reads each message and the members' descriptions, and chooses who answers.">
      <div className="grid gap-5">
        <TextareaField
          label="Instructions"
          name="router.instructions"
          rows={3}
          maxLength={8_000}
          value={draft.routerInstructions}
          readOnly={readOnly}
          hint="Optional. What to look at when two members could answer."
          problem={problemWith('router.instructions')}
          onChange={(routerInstructions) => {
            change({ routerInstructions })
          }}
        />
        <SelectField
          label="Model"
          name="router.model"
          value={draft.routerModel}
          disabled={readOnly}
          problem={problemWith('router.model')}
          onChange={(routerModel) => {
            change({ routerModel })
          }}
        >
          <option value="">The server’s choice</option>
          <ModelOptions current={draft.routerModel} />
        </SelectField>
      </div>
    </SettingsSection>
  )
}
