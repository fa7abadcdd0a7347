import { AuthLayout } from '@/components/layout/auth-layout'
import { TextLink } from '@/components/ui/text-link'
import { useInvitation } from '@/hooks/use-invitation'
import { withReturnPath } from '@/lib/return-path'
import { InvitationProblem } from './invitation-problem'
import { PendingAuthPage } from './pending-auth-page'
import { SignUpForm } from './sign-up-form'

/** Signing up with an invitation, which also joins its workspace. */
export function InvitationSignUp({ token }: { token: string }) {
  const invitation = useInvitation(token)
  if (invitation.isPending) return <PendingAuthPage title="Your invitation" />
  if (invitation.data === undefined) return <InvitationProblem invitation={invitation} />

  const { workspace_name, email } = invitation.data
  return (
    <AuthLayout
      title={`Join ${workspace_name}`}
      description="Create an account to begin."
      footer={
        <>
          Have an account? <TextLink to={withReturnPath('/sign-in', `/invitations/${token}`)}>Sign in</TextLink>
        </>
      }
    >
      <SignUpForm returnPath="/" invitation={{ token, email: email ?? null }} />
    </AuthLayout>
  )
}
