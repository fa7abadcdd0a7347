import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messageOf } from '@/api/errors'
import { changeRole, type Member, type Role } from '@/api/members'
import { keys } from '@/api/query-client'
import { Select } from '@/components/ui/select'
import { useRefreshPeople } from '@/hooks/use-members'
import { useWorkspace } from '@/hooks/use-workspace'
import { notify } from '@/lib/toasts'
import { mayManage, ROLES, rolesToGive } from './roles'

/** A member's role; a choice for those who may give another. */
export function MemberRole({ member }: { member: Member }) {
  const workspace = useWorkspace()
  const refresh = useRefreshPeople()
  const queryClient = useQueryClient()
  const change = useMutation({
    mutationFn: (role: Role) => changeRole(workspace.id, member.profile_id, role),
    onSuccess: async ({ name, role }) => {
      notify(`${name} is now ${role === 'member' ? 'a member' : `an ${role}`}.`)
      // One's own role decides what the app offers.
      await Promise.all([refresh(), queryClient.invalidateQueries({ queryKey: keys.session })])
    },
    onError: (error) => {
      notify(messageOf(error), 'error')
    },
  })
  if (!mayManage(workspace.role, member.role)) return <span className="px-3 text-muted">{ROLES[member.role]}</span>
  return (
    <Select
      aria-label={`Role of ${member.name}`}
      className="w-32"
      value={change.isPending ? change.variables : member.role}
      disabled={change.isPending}
      onChange={(event) => {
        change.mutate(event.target.value as Role)
      }}
    >
      {rolesToGive(workspace.role).map((role) => (
        <option key={role} value={role}>
          {ROLES[role]}
        </option>
      ))}
    </Select>
  )
}
