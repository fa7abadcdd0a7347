import { ModelOptions } from '@/components/agents/model-options'
import { SettingsSection } from '@/components/forms/section'
import type { DraftForm } from '@/components/forms/use-form'
import { SelectField, TextareaField } from '@/components/ui/fields'
import type { TeamDraft } from './team-draft'

interface RouterFieldsProps {
  form: DraftForm<TeamDraft>
  readOnly: boolean
}

/** How the router of a team decides. */
export function RouterFields({ form, readOnly }: RouterFieldsProps) {
  return (
    <SettingsSection title="Router" description="It reads each message and the members' descriptions, and chooses who answers.">
      <div className="grid gap-5">
        <TextareaField
          label="Instructions"
          {...form.field('routerInstructions', 'router.instructions')}
          rows={3}
          maxLength={8_000}
          readOnly={readOnly}
          hint="Optional. What to look at when two members could answer."
        />
        <SelectField
          label="Model"
          {...form.field('routerModel', 'router.model')}
          disabled={readOnly}
        >
          <option value="">The server’s choice</option>
          <ModelOptions current={form.draft.routerModel} />
        </SelectField>
      </div>
    </SettingsSection>
  )
}
