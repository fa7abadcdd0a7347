import { useMutation, useQueryClient } from '@tanstack/react-query'
import { LogOut, UserMinus } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { messageOf } from '@/api/errors'
import { keys } from '@/api/query-client'
import { RowMenu } from '@/components/forms/row-menu'
import { SectionList, SettingsSection } from '@/components/forms/section'
import { Avatar } from '@/components/ui/avatar'
import { Badge } from '@/components/ui/badge'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { Select } from '@/components/ui/select'
import { changeRole, type Member, removeMember, type Role, useMembers, useRefreshPeople } from '@/hooks/use-members'
import { usePermissions } from '@/hooks/use-permissions'
import { useSession } from '@/hooks/use-session'
import { useWorkspace } from '@/hooks/use-workspace'
import { HOME_PATH } from '@/lib/paths'
import { notify } from '@/lib/toasts'
import { words as common } from '@/words/en/common'
import { words } from '@/words/en/settings'
import { say } from '@/words/say'
import { InvitationsSection } from './invitations-section'
import { mayManage, ROLES, rolesToGive } from './roles'

export function MembersPanel() {
  const members = useMembers()
  const { isAdmin } = usePermissions()
  return (
    <>
      <SettingsSection
        title={common.members}
        description={
          members.data === undefined ? words.whoWorksHere : say(words.countPeopleInThisWorkspace, { count: members.data.length })
        }
      >
        <SectionList query={members} what="members" isEmpty={members.data?.length === 0} empty={words.nobody}>
          {members.data?.map((member) => (
            <MemberRow key={member.profile_id} member={member} />
          ))}
        </SectionList>
      </SettingsSection>
      {isAdmin && <InvitationsSection />}
    </>
  )
}

function MemberRow({ member }: { member: Member }) {
  const { profile } = useSession()
  const workspace = useWorkspace()
  const refresh = useRefreshPeople()
  const queryClient = useQueryClient()
  const [, navigate] = useLocation()
  const [opener, setOpener] = useState<HTMLElement | null>()
  const isSelf = member.profile_id === profile.id
  const mayRemove = isSelf || mayManage(workspace.role, member.role)

  async function remove(): Promise<void> {
    await removeMember(workspace.id, member.profile_id)
    if (!isSelf) {
      notify(say(words.nameIsNoLongerIn, { name: member.name, workspace: workspace.name }))
      await refresh()
      return
    }
    notify(say(words.youLeftName, { name: workspace.name }))
    navigate(HOME_PATH, { replace: true })
    await queryClient.invalidateQueries({ queryKey: keys.session })
  }

  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3 text-sm first:pt-0 last:pb-0">
      <Avatar name={member.name} />
      <div className="min-w-0 grow basis-40">
        <p className="flex items-center gap-2">
          <span dir="auto" className="truncate font-medium">{member.name}</span>
          {isSelf && <Badge tone="brand">{common.you}</Badge>}
        </p>
        <p className="truncate text-muted">{member.email}</p>
      </div>
      <div className="ml-11 flex items-center gap-1 sm:ml-0">
        <MemberRole member={member} />
        {mayRemove ? (
          <RowMenu
            name={member.name}
            actions={[{ label: isSelf ? words.leave : words.remove, icon: isSelf ? LogOut : UserMinus, onSelect: setOpener }]}
          />
        ) : (
          <span className="w-9 pointer-coarse:w-11" />
        )}
      </div>
      {opener !== undefined && (
        <ConfirmDialog
          title={isSelf ? say(words.leaveName, { name: workspace.name }) : say(words.removeName, { name: member.name })}
          description={
            isSelf
              ? words.youLoseAccessAtOnce
              : words.theyLoseAccessAtOnce
          }
          action={isSelf ? words.leaveButton : common.remove}
          opener={opener}
          onConfirm={remove}
          onClose={() => {
            setOpener(undefined)
          }}
        />
      )}
    </li>
  )
}

/** A member's role; a choice for those who may give another. */
function MemberRole({ member }: { member: Member }) {
  const workspace = useWorkspace()
  const refresh = useRefreshPeople()
  const queryClient = useQueryClient()
  const change = useMutation({
    mutationFn: (role: Role) => changeRole(workspace.id, member.profile_id, role),
    onSuccess: async ({ name, role }) => {
      notify(say(words.nameIsNow[role], { name }))
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
      aria-label={say(words.roleOfName, { name: member.name })}
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
