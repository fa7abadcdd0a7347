import { Link } from 'wouter'
import type { Invitation } from '@/api/types'
import { AuthLayout } from '@/components/layout/auth-layout'
import { buttonClass } from '@/components/ui/button-class'
import { useAuthOptions } from '@/hooks/use-auth-options'
import { withReturnPath } from '@/lib/return-path'
import { invitationTitle, invitationWords } from './invitation-words'

interface InvitedStrangerProps {
  token: string
  invitation: Invitation
}

/** An invitation opened by someone who isn't signed in. */
export function InvitedStranger({ token, invitation }: InvitedStrangerProps) {
  const { data: options } = useAuthOptions()
  const mayJoin = options?.sign_up !== 'closed'
  return (
    <AuthLayout title={invitationTitle(invitation)} description={invitationWords(invitation)}>
      <div className="grid gap-3">
        {mayJoin && (
          <Link to={`/sign-up?invitation=${encodeURIComponent(token)}`} className={buttonClass()}>
            Create an account
          </Link>
        )}
        <Link
          to={withReturnPath('/sign-in', `/invitations/${encodeURIComponent(token)}`)}
          className={buttonClass(mayJoin ? 'secondary' : 'primary')}
        >
          I have an account
        </Link>
      </div>
    </AuthLayout>
  )
}
