import { useForm } from '@/components/forms/use-form'
import { AuthLayout } from '@/components/layout/auth-layout'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { FormField } from '@/components/ui/fields'
import { TextLink } from '@/components/ui/text-link'
import { useEnter } from '@/hooks/use-session'
import { signUp, useInvitation } from '@/hooks/use-sign-in'
import { withReturnPath } from '@/lib/paths'
import { words } from '@/words/en/auth'
import { words as common } from '@/words/en/common'
import { rich } from '@/words/rich'
import { say } from '@/words/say'
import { PendingAuthPage } from './auth-states'
import { InvitationProblem } from './invitation'

interface SignUpFormProps {
  returnPath: string
  /** The invitation that lets the person in, and the address it was sent to, if to one. */
  invitation?: { token: string; email: string | null }
}

export function SignUpForm({ returnPath, invitation }: SignUpFormProps) {
  const enter = useEnter()
  const form = useForm<AccountField>(async ({ name, email, password }) => {
    enter(await signUp({ name, email, password, invitation: invitation?.token }), returnPath)
  })
  return (
    <form noValidate onSubmit={form.onSubmit} className="grid gap-4">
      {form.problem !== undefined && <Alert>{form.problem}</Alert>}
      <AccountFields problemWith={form.problemWith} email={invitation?.email ?? undefined} />
      <Button type="submit" pending={form.pending} className="mt-2">
        {words.createAccount}
      </Button>
    </form>
  )
}

export type AccountField = 'name' | 'email' | 'password'

interface AccountFieldsProps {
  problemWith: (name: AccountField) => string | undefined
  /** An address that is already settled, by an invitation. */
  email?: string
}

/** What a new account needs. */
export function AccountFields({ problemWith, email }: AccountFieldsProps) {
  return (
    <>
      <FormField label={common.name} name="name" autoComplete="name" required maxLength={100} problem={problemWith('name')} />
      <FormField
        label={words.email}
        name="email"
        type="email"
        autoComplete="username"
        required
        maxLength={254}
        defaultValue={email}
        readOnly={email !== undefined}
        hint={email === undefined ? undefined : words.theInvitationWasSentTo}
        problem={problemWith('email')}
      />
      <FormField
        label={words.password}
        name="password"
        type="password"
        autoComplete="new-password"
        required
        minLength={8}
        maxLength={256}
        hint={words.passwordHint}
        problem={problemWith('password')}
      />
    </>
  )
}

/** Signing up with an invitation, which also joins its workspace. */
export function InvitationSignUp({ token }: { token: string }) {
  const invitation = useInvitation(token)
  if (invitation.isPending) return <PendingAuthPage title={words.yourInvitation} />
  if (invitation.data === undefined) return <InvitationProblem invitation={invitation} />

  const { workspace_name, email } = invitation.data
  return (
    <AuthLayout
      title={say(words.joinWorkspaceName, { workspaceName: workspace_name })}
      description={words.createAnAccountToBegin}
      footer={
        <>
          {rich(words.haveAnAccount, { link: (label) => <TextLink to={withReturnPath('/sign-in', `/invitations/${token}`)}>{label}</TextLink> })}
        </>
      }
    >
      <SignUpForm returnPath="/" invitation={{ token, email: email ?? null }} />
    </AuthLayout>
  )
}
