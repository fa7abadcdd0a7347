import { useQueryClient } from '@tanstack/react-query'
import { keys } from '@/api/query-client'
import { addressProblem, problemsOf } from '@/components/forms/checks'
import { SaveButton } from '@/components/forms/save-bar'
import { SettingsSection } from '@/components/forms/section'
import { useDraft } from '@/components/forms/use-form'
import { Alert } from '@/components/ui/alert'
import { FieldFrame, TextField } from '@/components/ui/fields'
import { PasswordInput } from '@/components/ui/password-input'
import { useSession } from '@/hooks/use-session'
import { type AccountChanges, changeAccount } from '@/hooks/use-sign-in'
import { notify } from '@/lib/toasts'
import { words } from '@/words/en/settings'
import { say } from '@/words/say'

/** What the person signs in with. */
export function CredentialsForm() {
  const { profile } = useSession()
  const queryClient = useQueryClient()
  const saved: Credentials = { email: profile.email, password: '', current_password: '' }
  const form = useDraft({
    saved,
    check: checkCredentials,
    save: async (draft, base) => {
      const next = await changeAccount(changesOf(base, draft))
      queryClient.setQueryData(keys.session, next)
      form.reset({ email: next.profile.email, password: '', current_password: '' })
      notify(draft.password === '' ? words.yourEmailAddressIsChanged : words.savedYourOtherSessionsAre)
    },
  })
  const { draft, change, problemWith } = form
  const passwords = [
    { name: 'password', label: words.newPassword, hint: words.newPasswordHint, complete: 'new-password' },
    {
      name: 'current_password',
      label: words.currentPassword,
      hint: words.currentPasswordHint,
      complete: 'current-password',
    },
  ] as const
  return (
    <SettingsSection title={words.signIn} description={words.signInDescription}>
      <form noValidate onSubmit={form.onSubmit} className="grid gap-5">
        {form.problem !== undefined && <Alert>{form.problem}</Alert>}
        <TextField
          label={words.email}
          {...form.field('email')}
          type="email"
          autoComplete="username"
          maxLength={254}
        />
        <div className="grid gap-5 sm:grid-cols-2">
          {passwords.map(({ name, label, hint, complete }) => (
            <FieldFrame key={name} label={label} hint={hint} problem={problemWith(name)}>
              {(control) => (
                <PasswordInput
                  {...control}
                  name={name}
                  autoComplete={complete}
                  maxLength={256}
                  value={draft[name]}
                  onChange={(event) => {
                    change({ [name]: event.target.value })
                  }}
                />
              )}
            </FieldFrame>
          ))}
        </div>
        <SaveButton isDirty={draft.email !== saved.email || draft.password !== ''} pending={form.pending} />
      </form>
    </SettingsSection>
  )
}

interface Credentials {
  email: string
  password: string
  current_password: string
}

const SHORTEST = 8

function checkCredentials({ email, password }: Credentials): Record<string, string> {
  return problemsOf({
    email: addressProblem(email),
    password: password !== '' && password.length < SHORTEST && say(words.useAtLeastShortestCharacters, { shortest: SHORTEST }),
  })
}

/** Only what changed, and the proof if there is one. */
function changesOf(saved: Credentials, draft: Credentials): AccountChanges {
  return {
    ...(draft.email === saved.email ? {} : { email: draft.email }),
    ...(draft.password === '' ? {} : { password: draft.password }),
    ...(draft.current_password === '' ? {} : { current_password: draft.current_password }),
  }
}
