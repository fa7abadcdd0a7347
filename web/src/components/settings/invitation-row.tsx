import { useMutation } from '@tanstack/react-query'
import { messageOf } from '@/api/errors'
import { type PendingInvitation, revokeInvitation } from '@/api/members'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { useRefreshPeople } from '@/hooks/use-members'
import { useWorkspace } from '@/hooks/use-workspace'
import { notify } from '@/lib/toasts'
import { ago } from '@/lib/when'
import { ROLES } from './roles'

interface InvitationRowProps {
  invitation: PendingInvitation
  onRevoked: () => void
}

export function InvitationRow({ invitation, onRevoked }: InvitationRowProps) {
  const workspace = useWorkspace()
  const refresh = useRefreshPeople()
  const revoke = useMutation({
    mutationFn: () => revokeInvitation(workspace.id, invitation.id),
    onSuccess: async () => {
      onRevoked()
      notify('The invitation no longer works.')
      document.getElementById('main')?.focus({ preventScroll: true })
      await refresh()
    },
    onError: (error) => {
      notify(messageOf(error), 'error')
    },
  })
  const whom = invitation.email ?? 'Anyone with the link'
  return (
    <li className="flex items-center gap-3 py-3 text-sm first:pt-0 last:pb-0">
      <div className="min-w-0 grow">
        <p className="flex items-center gap-2">
          <span className="truncate font-medium">{whom}</span>
          <Badge>{ROLES[invitation.role]}</Badge>
        </p>
        <p className="text-muted wrap-anywhere">
          {invitation.invited_by !== null && `From ${invitation.invited_by}, `}
          ends {ago(invitation.expires_at)}
        </p>
      </div>
      <Button
        variant="secondary"
        size="sm"
        aria-label={`Revoke the invitation for ${whom}`}
        pending={revoke.isPending}
        onClick={() => {
          revoke.mutate()
        }}
      >
        Revoke
      </Button>
    </li>
  )
}
