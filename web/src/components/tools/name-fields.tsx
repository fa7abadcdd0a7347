import type { DraftForm } from '@/components/forms/use-form'
import { TextareaField, TextField } from '@/components/ui/fields'
import { words as common } from '@/words/en/common'
import { words } from '@/words/en/tools'
import { nameProblem } from './handoff-draft'
import type { NamedDraft } from './use-tool-form'

interface NameFieldsProps {
  form: Pick<DraftForm<NamedDraft>, 'draft' | 'field' | 'problemWith'>
  taken: readonly string[]
  readOnly: boolean
  placeholders: { name: string; description: string }
  nameHint?: string
  descriptionHint?: string
}

/** What models call a tool, and when they use it. */
export function NameFields({ form, taken, readOnly, placeholders, nameHint = words.nameHint, descriptionHint = words.descriptionHintOfAny }: NameFieldsProps) {
  // A name that nobody has begun isn't wrong yet.
  const live = form.draft.name === '' ? undefined : nameProblem(form.draft.name, taken)
  return (
    <>
      <TextField
        label={common.name}
        {...form.field('name')}
        placeholder={placeholders.name}
        readOnly={readOnly}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        controlClass="font-mono"
        hint={nameHint}
        problem={live ?? form.problemWith('name')}
      />
      <TextareaField
        label={common.description}
        {...form.field('description')}
        rows={3}
        maxLength={2_000}
        readOnly={readOnly}
        placeholder={placeholders.description}
        hint={descriptionHint}
      />
    </>
  )
}
