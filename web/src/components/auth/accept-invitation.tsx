import { useMutation } from '@tanstack/react-query'
import { messageOf } from '@/api/errors'
import { acceptInvitation } from '@/api/invitations'
import type { Invitation, Session } from '@/api/types'
import { AuthLayout } from '@/components/layout/auth-layout'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { useEnter } from '@/hooks/use-session'
import { useSignOut } from '@/hooks/use-sign-out'
import { chooseWorkspace } from '@/hooks/use-workspace'
import { notify } from '@/lib/toasts'
import { invitationTitle, invitationWords } from './invitation-words'

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
      notify(`You joined ${invitation.workspace_name}.`)
      enter(next, '/')
    },
  })
  const signOut = useSignOut(`/invitations/${encodeURIComponent(token)}`)
  return (
    <AuthLayout
      title={invitationTitle(invitation)}
      description={
        <>
          {invitationWords(invitation)} You are signed in as {session.profile.email}.
        </>
      }
    >
      <div className="grid gap-3">
        {accept.isError && <Alert>{messageOf(accept.error)}</Alert>}
        <Button
          pending={accept.isPending}
          onClick={() => {
            accept.mutate()
          }}
        >
          Accept invitation
        </Button>
        <Button
          variant="ghost"
          pending={signOut.isPending}
          onClick={() => {
            signOut.mutate()
          }}
        >
          Use another account
        </Button>
      </div>
    </AuthLayout>
  )
}
