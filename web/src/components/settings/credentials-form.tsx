import { useQueryClient } from '@tanstack/react-query'
import { keys } from '@/api/query-client'
import { isEmail, NO_ADDRESS, problemsOf } from '@/components/forms/checks'
import { SaveButton } from '@/components/forms/save-bar'
import { SettingsSection } from '@/components/forms/section'
import { useDraft } from '@/components/forms/use-form'
import { Alert } from '@/components/ui/alert'
import { FieldFrame, TextField } from '@/components/ui/fields'
import { PasswordInput } from '@/components/ui/password-input'
import { useSession } from '@/hooks/use-session'
import { type AccountChanges, changeAccount } from '@/hooks/use-sign-in'
import { notify } from '@/lib/toasts'

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
      notify(draft.password === '' ? 'Your email address is changed.' : 'Saved. Your other sessions are signed out.')
    },
  })
  const { draft, change, problemWith } = form
  const passwords = [
    { name: 'password', label: 'New password', hint: 'At least 8 characters. It signs out your other sessions.', complete: 'new-password' },
    {
      name: 'current_password',
      label: 'Current password',
      hint: 'Not needed if you signed in with a one-time link.',
      complete: 'current-password',
    },
  ] as const
  return (
    <SettingsSection title="Sign-in" description="What you sign in with.">
      <form noValidate onSubmit={form.onSubmit} className="grid gap-5">
        {form.problem !== undefined && <Alert>{form.problem}</Alert>}
        <TextField
          label="Email"
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
    email: !isEmail(email) && NO_ADDRESS,
    password: password !== '' && password.length < SHORTEST && `Use at least ${SHORTEST} characters.`,
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
