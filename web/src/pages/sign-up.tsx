import { Redirect, useSearchParams } from 'wouter'
import { InvitationSignUp, SignUpForm } from '@/components/auth/sign-up-form'
import { AuthLayout } from '@/components/layout/auth-layout'
import { TextLink } from '@/components/ui/text-link'
import { useSessionQuery } from '@/hooks/use-session'
import { useAuthOptions } from '@/hooks/use-session'
import { safeReturnPath, withReturnPath } from '@/lib/paths'

export default function SignUpPage() {
  const [search] = useSearchParams()
  const invitation = search.get('invitation')
  const returnPath = safeReturnPath(search.get('return'))
  const { data: session } = useSessionQuery()
  const { data: options } = useAuthOptions()

  if (session) return <Redirect to={invitation === null ? returnPath : `/invitations/${invitation}`} replace />
  if (invitation !== null) return <InvitationSignUp token={invitation} />

  const footer = (
    <>
      Have an account? <TextLink to={withReturnPath('/sign-in', returnPath)}>Sign in</TextLink>
    </>
  )
  if (options !== undefined && options.sign_up !== 'open') {
    return (
      <AuthLayout
        title={options.sign_up === 'invited' ? 'Accounts are by invitation' : 'Sign-up is closed'}
        description={
          options.sign_up === 'invited'
            ? 'Ask someone who is already here to invite you, then open the link you get.'
            : 'This server takes no new accounts. Ask the person who runs it.'
        }
        footer={footer}
      />
    )
  }
  return (
    <AuthLayout title="Create an account" footer={footer}>
      <SignUpForm returnPath={returnPath} />
    </AuthLayout>
  )
}
