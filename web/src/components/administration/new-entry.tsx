import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { createEntry } from '@/api/admin'
import { keys } from '@/api/query-client'
import { ModelOptions } from '@/components/agents/model-options'
import { NAME_MISSING, problemsOf } from '@/components/forms/checks'
import { LeaveDialog } from '@/components/forms/leave-dialog'
import { SettingsSection } from '@/components/forms/settings-section'
import { useDraft } from '@/components/forms/use-draft'
import { useUnsavedGuard } from '@/components/forms/use-unsaved-guard'
import { Alert } from '@/components/ui/alert'
import { BackLink } from '@/components/ui/back-link'
import { Button } from '@/components/ui/button'
import { SelectField } from '@/components/ui/select-field'
import { TextField } from '@/components/ui/text-field'
import { TextareaField } from '@/components/ui/textarea-field'
import { notify } from '@/lib/toasts'
import { CATALOG_PATH, entryPath } from './paths'

/** The least that an agent needs. The rest is set on its own page, before it is published. */
export function NewEntry() {
  const queryClient = useQueryClient()
  const [, navigate] = useLocation()
  const form = useDraft({
    saved: { name: '', description: '', system_prompt: '', model: '' },
    check: ({ name, system_prompt }) =>
      problemsOf({
        name: name.trim() === '' && NAME_MISSING,
        system_prompt: system_prompt.trim() === '' && 'Instructions are missing.',
      }),
    save: async ({ name, description, system_prompt, model }) => {
      const entry = await createEntry({
        name,
        system_prompt,
        ...(model !== '' && { model }),
        ...(description.trim() !== '' && { description }),
      })
      await queryClient.invalidateQueries({ queryKey: keys.catalog })
      notify(`${entry.name} is a draft. Publish it when it is ready.`)
      navigate(entryPath(entry.id), { replace: true })
    },
  })
  const { draft, change, problemWith } = form
  const guard = useUnsavedGuard(form.isDirty && !form.pending)
  return (
    <>
      <div className="text-sm text-muted">
        <BackLink to={CATALOG_PATH}>Catalog</BackLink>
      </div>
      <SettingsSection title="New agent" description="It begins as a draft: nobody can hire it until it is published.">
        <form noValidate onSubmit={form.onSubmit} className="grid gap-5">
          {form.problem !== undefined && <Alert>{form.problem}</Alert>}
          <div className="grid gap-5 sm:grid-cols-2">
            <TextField
              label="Name"
              name="name"
              maxLength={100}
              value={draft.name}
              problem={problemWith('name')}
              onChange={(name) => {
                change({ name })
              }}
            />
            <SelectField
              label="Model"
              name="model"
              value={draft.model}
              problem={problemWith('model')}
              onChange={(model) => {
                change({ model })
              }}
            >
              <option value="">The usual one</option>
              <ModelOptions current={draft.model} />
            </SelectField>
          </div>
          <TextareaField
            label="Description"
            name="description"
            rows={2}
            maxLength={2_000}
            value={draft.description}
            hint="People see it before they hire the agent; routers and teammates go by it."
            problem={problemWith('description')}
            onChange={(description) => {
              change({ description })
            }}
          />
          <TextareaField
            label="System prompt"
            name="system_prompt"
            rows={6}
            maxLength={100_000}
            value={draft.system_prompt}
            problem={problemWith('system_prompt')}
            onChange={(system_prompt) => {
              change({ system_prompt })
            }}
          />
          <div className="flex">
            <Button type="submit" pending={form.pending}>
              Create draft
            </Button>
          </div>
        </form>
      </SettingsSection>
      {guard.isLeaving && <LeaveDialog onStay={guard.stay} onLeave={guard.leave} />}
    </>
  )
}
