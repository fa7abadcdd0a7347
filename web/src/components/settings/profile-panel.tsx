import { useQueryClient } from '@tanstack/react-query'
import { keys } from '@/api/query-client'
import { changes, nameProblem, problemsOf } from '@/components/forms/checks'
import { SaveButton } from '@/components/forms/save-bar'
import { SettingsSection } from '@/components/forms/section'
import { useDraft } from '@/components/forms/use-form'
import { HelpKeySwitch } from '@/components/keyboard/shortcuts-dialog'
import { Alert } from '@/components/ui/alert'
import { SwitchField, TextField } from '@/components/ui/fields'
import { useSwitch } from '@/hooks/use-browser'
import { useSession } from '@/hooks/use-session'
import { changeAccount } from '@/hooks/use-sign-in'
import { notify } from '@/lib/toasts'
import { words as common } from '@/words/en/common'
import { words } from '@/words/en/settings'
import { AboutSection } from './about-section'
import { CredentialsForm } from './credentials-form'
import { AccountData } from './data-sections'
import { TimeZoneField } from './workspace-fields'

/** One's own account. */
export function ProfilePanel() {
  return (
    <>
      <AccountForm />
      <KeyboardSection />
      <CredentialsForm />
      <AccountData />
      <AboutSection />
    </>
  )
}

/** How others see the person, and where they are. */
function AccountForm() {
  const { profile } = useSession()
  const queryClient = useQueryClient()
  const form = useDraft({
    saved: { name: profile.name, time_zone: profile.time_zone },
    check: ({ name }) => problemsOf({ name: nameProblem(name) }),
    save: async (draft, base) => {
      queryClient.setQueryData(keys.session, await changeAccount(changes(base, draft)))
      notify(words.yourProfileIsSaved)
    },
  })
  return (
    <SettingsSection title={words.profile} description={words.profileDescription}>
      <form noValidate onSubmit={form.onSubmit} className="grid gap-5">
        {form.problem !== undefined && <Alert>{form.problem}</Alert>}
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField
            label={common.name}
            {...form.field('name')}
            autoComplete="name"
            maxLength={100}
          />
          <TimeZoneField
            {...form.field('time_zone')}
            hint={words.agentsTellYouTimesIn}
          />
        </div>
        <SaveButton isDirty={form.isDirty} pending={form.pending} />
      </form>
    </SettingsSection>
  )
}

/** What keys do for this person, in this browser. */
function KeyboardSection() {
  const [enterSends, setEnterSends] = useSwitch('baton.enter-sends')
  return (
    <SettingsSection title={words.keyboard} description={words.keyboardDescription}>
      <div className="grid gap-4">
        <SwitchField
          label={words.enterSendsAMessage}
          hint={words.enterSendsAMessageHint}
          checked={enterSends}
          onChange={setEnterSends}
        />
        <HelpKeySwitch />
      </div>
    </SettingsSection>
  )
}
