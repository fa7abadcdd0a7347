import { isGone } from '@/api/errors'
import { AuthLayout } from '@/components/layout/auth-layout'
import { TextLink } from '@/components/ui/text-link'
import type { useInvitation } from '@/hooks/use-invitation'
import { LoadProblem } from './load-problem'

/** An invitation that cannot be shown: no longer valid, or not loaded. */
export function InvitationProblem({ invitation }: { invitation: ReturnType<typeof useInvitation> }) {
  if (!isGone(invitation.error)) return <LoadProblem title="The invitation could not be loaded" query={invitation} />
  return (
    <AuthLayout
      title="This invitation no longer works"
      description="It has expired, was withdrawn, or has been used. Ask the person who sent it for a new one."
      footer={<TextLink to="/">Go to Baton</TextLink>}
    />
  )
}
