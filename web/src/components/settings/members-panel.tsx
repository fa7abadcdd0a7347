import { SectionList } from '@/components/forms/section-list'
import { SettingsSection } from '@/components/forms/settings-section'
import { useMembers } from '@/hooks/use-members'
import { usePermissions } from '@/hooks/use-permissions'
import { counted } from '@/lib/text'
import { InvitationsSection } from './invitations-section'
import { MemberRow } from './member-row'

export function MembersPanel() {
  const members = useMembers()
  const { isAdmin } = usePermissions()
  return (
    <>
      <SettingsSection
        title="Members"
        description={
          members.data === undefined ? 'Who works here.' : `${counted(members.data.length, 'person', 'people')} in this workspace.`
        }
      >
        <SectionList query={members} what="members" isEmpty={members.data?.length === 0} empty="Nobody.">
          {members.data?.map((member) => (
            <MemberRow key={member.profile_id} member={member} />
          ))}
        </SectionList>
      </SettingsSection>
      {isAdmin && <InvitationsSection />}
    </>
  )
}
