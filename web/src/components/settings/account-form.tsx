import { useQueryClient } from '@tanstack/react-query'
import { changeAccount } from '@/api/account'
import { keys } from '@/api/query-client'
import { changes } from '@/components/forms/changes'
import { NAME_MISSING, problemsOf } from '@/components/forms/checks'
import { SaveButton } from '@/components/forms/save-button'
import { SettingsSection } from '@/components/forms/settings-section'
import { useDraft } from '@/components/forms/use-draft'
import { Alert } from '@/components/ui/alert'
import { TextField } from '@/components/ui/text-field'
import { useSession } from '@/hooks/use-session'
import { notify } from '@/lib/toasts'
import { TimeZoneField } from './time-zone-field'

/** How others see the person, and where they are. */
export function AccountForm() {
  const { profile } = useSession()
  const queryClient = useQueryClient()
  const form = useDraft({
    saved: { name: profile.name, time_zone: profile.time_zone },
    check: ({ name }) => problemsOf({ name: name.trim() === '' && NAME_MISSING }),
    save: async (draft, base) => {
      queryClient.setQueryData(keys.session, await changeAccount(changes(base, draft)))
      notify('Your profile is saved.')
    },
  })
  return (
    <SettingsSection title="Profile" description="How others here see you.">
      <form noValidate onSubmit={form.onSubmit} className="grid gap-5">
        {form.problem !== undefined && <Alert>{form.problem}</Alert>}
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField
            label="Name"
            name="name"
            autoComplete="name"
            maxLength={100}
            value={form.draft.name}
            problem={form.problemWith('name')}
            onChange={(name) => {
              form.change({ name })
            }}
          />
          <TimeZoneField
            value={form.draft.time_zone}
            hint="Agents tell you times in it."
            problem={form.problemWith('time_zone')}
            onChange={(time_zone) => {
              form.change({ time_zone })
            }}
          />
        </div>
        <SaveButton isDirty={form.isDirty} pending={form.pending} />
      </form>
    </SettingsSection>
  )
}
