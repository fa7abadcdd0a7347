import { useMutation } from '@tanstack/react-query'
import { Link } from 'wouter'
import { isGone, messageOf } from '@/api/errors'
import type { Invitation, Session } from '@/api/types'
import { AuthLayout } from '@/components/layout/auth-layout'
import { Alert } from '@/components/ui/alert'
import { Button, buttonClass } from '@/components/ui/button'
import { TextLink } from '@/components/ui/text-link'
import { useEnter, useSignOut } from '@/hooks/use-session'
import { acceptInvitation, type useInvitation } from '@/hooks/use-sign-in'
import { useAuthOptions } from '@/hooks/use-session'
import { chooseWorkspace } from '@/hooks/use-workspace'
import { withReturnPath } from '@/lib/paths'
import { notify } from '@/lib/toasts'
import { words } from '@/words/en/auth'
import { say } from '@/words/say'
import { LoadProblem } from './auth-states'

interface AcceptInvitationProps {
  token: string
  invitation: Invitation
  session: Session
}

/** An invitation opened by someone who is signed in. */
export function AcceptInvitation({ token, invitation, session }: AcceptInvitationProps) {
  const enter = useEnter()
  const accept = useMutation({
    mutationFn: () => acceptInvitation(token),
    onSuccess: (next) => {
      const joined = next.workspaces.find(({ id }) => !session.workspaces.some((known) => known.id === id))
      if (joined) chooseWorkspace(joined.id)
      notify(say(words.youJoinedWorkspaceName, { workspaceName: invitation.workspace_name }))
      enter(next, '/')
    },
  })
  const signOut = useSignOut(`/invitations/${encodeURIComponent(token)}`)
  return (
    <AuthLayout
      title={invitationTitle(invitation)}
      description={`${invitationWords(invitation)} ${say(words.youAreSignedInAs, { email: session.profile.email })}`}
    >
      <div className="grid gap-3">
        {accept.isError && <Alert>{messageOf(accept.error)}</Alert>}
        <Button
          pending={accept.isPending}
          onClick={() => {
            accept.mutate()
          }}
        >
          {words.acceptInvitation}
        </Button>
        <Button
          variant="ghost"
          pending={signOut.isPending}
          onClick={() => {
            signOut.mutate()
          }}
        >
          {words.useAnotherAccount}
        </Button>
      </div>
    </AuthLayout>
  )
}

/** An invitation that cannot be shown: no longer valid, or not loaded. */
export function InvitationProblem({ invitation }: { invitation: ReturnType<typeof useInvitation> }) {
  if (!isGone(invitation.error)) return <LoadProblem title={words.theInvitationCouldNotBe} query={invitation} />
  return (
    <AuthLayout
      title={words.thisInvitationNoLongerWorks}
      description={words.thisInvitationNoLongerDescription}
      footer={<TextLink to="/">{words.goToBaton}</TextLink>}
    />
  )
}

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
            {words.createAnAccount}
          </Link>
        )}
        <Link
          to={withReturnPath('/sign-in', `/invitations/${encodeURIComponent(token)}`)}
          className={buttonClass(mayJoin ? 'secondary' : 'primary')}
        >
          {words.iHaveAnAccount}
        </Link>
      </div>
    </AuthLayout>
  )
}

function invitationTitle(invitation: Invitation): string {
  return say(words.joinWorkspaceName, { workspaceName: invitation.workspace_name })
}

/** Who invites whom as what. */
function invitationWords({ invited_by, role }: Invitation): string {
  return invited_by ? say(words.invitesYouToJoin[role], { name: invited_by }) : words.youAreInvited[role]
}
