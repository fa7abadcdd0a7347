import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { keys } from '@/api/query-client'
import { ModelOptions } from '@/components/agents/model-options'
import { nameProblem, problemsOf } from '@/components/forms/checks'
import { LeaveDialog } from '@/components/forms/save-bar'
import { SettingsSection } from '@/components/forms/section'
import { useDraft } from '@/components/forms/use-form'
import { useUnsavedGuard } from '@/components/forms/use-unsaved-guard'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { SelectField, TextareaField, TextField } from '@/components/ui/fields'
import { BackLink } from '@/components/ui/text-link'
import { createEntry } from '@/hooks/use-administration'
import { notify } from '@/lib/toasts'
import { words } from '@/words/en/administration'
import { words as common } from '@/words/en/common'
import { say } from '@/words/say'
import { CATALOG_PATH, entryPath } from './entry-actions'

/** The least that an agent needs. The rest is set on its own page, before it is published. */
export function NewEntry() {
  const queryClient = useQueryClient()
  const [, navigate] = useLocation()
  const form = useDraft({
    saved: { name: '', description: '', system_prompt: '', model: '' },
    check: ({ name, system_prompt }) =>
      problemsOf({
        name: nameProblem(name),
        system_prompt: system_prompt.trim() === '' && words.instructionsAreMissing,
      }),
    save: async ({ name, description, system_prompt, model }) => {
      const entry = await createEntry({
        name,
        system_prompt,
        ...(model !== '' && { model }),
        ...(description.trim() !== '' && { description }),
      })
      await queryClient.invalidateQueries({ queryKey: keys.catalog })
      notify(say(words.nameIsADraftPublish, { name: entry.name }))
      navigate(entryPath(entry.id), { replace: true })
    },
  })
  const guard = useUnsavedGuard(form.isDirty && !form.pending)
  return (
    <>
      <div className="text-sm text-muted">
        <BackLink to={CATALOG_PATH}>{words.catalog}</BackLink>
      </div>
      <SettingsSection title={words.newAgent} description={words.newAgentDescription}>
        <form noValidate onSubmit={form.onSubmit} className="grid gap-5">
          {form.problem !== undefined && <Alert>{form.problem}</Alert>}
          <div className="grid gap-5 sm:grid-cols-2">
            <TextField
              label={common.name}
              {...form.field('name')}
              maxLength={100}
            />
            <SelectField
              label={common.model}
              {...form.field('model')}
            >
              <option value="">{words.theUsualOne}</option>
              <ModelOptions current={form.draft.model} />
            </SelectField>
          </div>
          <TextareaField
            label={common.description}
            {...form.field('description')}
            rows={2}
            maxLength={2_000}
            hint={words.descriptionHint}
          />
          <TextareaField
            label={words.systemPrompt}
            {...form.field('system_prompt')}
            rows={6}
            maxLength={100_000}
          />
          <div className="flex">
            <Button type="submit" pending={form.pending}>
              {words.createDraft}
            </Button>
          </div>
        </form>
      </SettingsSection>
      {guard.isLeaving && <LeaveDialog onStay={guard.stay} onLeave={guard.leave} />}
    </>
  )
}
