import { Redirect, useSearchParams } from 'wouter'
import { InvitationSignUp, SignUpForm } from '@/components/auth/sign-up-form'
import { AuthLayout } from '@/components/layout/auth-layout'
import { TextLink } from '@/components/ui/text-link'
import { useSessionQuery } from '@/hooks/use-session'
import { useAuthOptions } from '@/hooks/use-session'
import { safeReturnPath, withReturnPath } from '@/lib/paths'
import { words } from '@/words/en/auth'
import { rich } from '@/words/rich'

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
      {rich(words.haveAnAccount, { link: (label) => <TextLink to={withReturnPath('/sign-in', returnPath)}>{label}</TextLink> })}
    </>
  )
  if (options !== undefined && options.sign_up !== 'open') {
    return (
      <AuthLayout
        title={options.sign_up === 'invited' ? words.accountsAreByInvitation : words.signUpIsClosed}
        description={
          options.sign_up === 'invited'
            ? words.askSomeoneWhoIsAlready
            : words.thisServerTakesNoNew
        }
        footer={footer}
      />
    )
  }
  return (
    <AuthLayout title={words.createAnAccount} footer={footer}>
      <SignUpForm returnPath={returnPath} />
    </AuthLayout>
  )
}
