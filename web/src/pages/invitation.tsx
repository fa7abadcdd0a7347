import { useParams } from 'wouter'
import { AcceptInvitation } from '@/components/auth/accept-invitation'
import { InvitationProblem } from '@/components/auth/invitation-problem'
import { InvitedStranger } from '@/components/auth/invited-stranger'
import { PendingAuthPage } from '@/components/auth/pending-auth-page'
import { useInvitation } from '@/hooks/use-invitation'
import { useSessionQuery } from '@/hooks/use-session'

/** What an invitation's link opens. */
export default function InvitationPage() {
  const { token } = useParams<'/invitations/:token'>()
  const invitation = useInvitation(token)
  const session = useSessionQuery()

  if (invitation.isPending || session.isPending) return <PendingAuthPage title="Your invitation" />
  if (invitation.data === undefined) return <InvitationProblem invitation={invitation} />
  if (session.data) return <AcceptInvitation token={token} invitation={invitation.data} session={session.data} />
  return <InvitedStranger token={token} invitation={invitation.data} />
}
