import { ModelOptions } from '@/components/agents/model-options'
import { SettingsSection } from '@/components/forms/section'
import type { DraftForm } from '@/components/forms/use-form'
import { SelectField, TextareaField } from '@/components/ui/fields'
import { words as common } from '@/words/en/common'
import { words } from '@/words/en/teams'
import type { TeamDraft } from './team-draft'

interface RouterFieldsProps {
  form: DraftForm<TeamDraft>
  readOnly: boolean
}

/** How the router of a team decides. */
export function RouterFields({ form, readOnly }: RouterFieldsProps) {
  return (
    <SettingsSection title={words.router} description={words.routerDescription}>
      <div className="grid gap-5">
        <TextareaField
          label={common.instructions}
          {...form.field('routerInstructions', 'router.instructions')}
          rows={3}
          maxLength={8_000}
          readOnly={readOnly}
          hint={words.instructionsHint}
        />
        <SelectField
          label={common.model}
          {...form.field('routerModel', 'router.model')}
          disabled={readOnly}
        >
          <option value="">{words.theServersChoice}</option>
          <ModelOptions current={form.draft.routerModel} />
        </SelectField>
      </div>
    </SettingsSection>
  )
}
