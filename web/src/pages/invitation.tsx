import { useParams } from 'wouter'
import { PendingAuthPage } from '@/components/auth/auth-states'
import { AcceptInvitation, InvitationProblem, InvitedStranger } from '@/components/auth/invitation'
import { useSessionQuery } from '@/hooks/use-session'
import { useInvitation } from '@/hooks/use-sign-in'
import { words } from '@/words/en/auth'

/** What an invitation's link opens. */
export default function InvitationPage() {
  const { token } = useParams<'/invitations/:token'>()
  const invitation = useInvitation(token)
  const session = useSessionQuery()

  if (invitation.isPending || session.isPending) return <PendingAuthPage title={words.yourInvitation} />
  if (invitation.data === undefined) return <InvitationProblem invitation={invitation} />
  if (session.data) return <AcceptInvitation token={token} invitation={invitation.data} session={session.data} />
  return <InvitedStranger token={token} invitation={invitation.data} />
}
