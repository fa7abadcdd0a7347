import { SectionList } from '@/components/forms/section-list'
import { SettingsSection } from '@/components/forms/settings-section'
import { Button } from '@/components/ui/button'
import { useAudit } from '@/hooks/use-audit'
import { useHiredAgents } from '@/hooks/use-hired-agents'
import { useMembers } from '@/hooks/use-members'
import { useSkills } from '@/hooks/use-skills'
import { useTeams } from '@/hooks/use-teams'
import { useTools } from '@/hooks/use-tools'
import { AuditRow } from './audit-row'

/** For admins: who did what in the workspace. */
export function AuditPanel() {
  const audit = useAudit()
  const { data: members = [] } = useMembers()
  const { data: agents = [] } = useHiredAgents()
  const { data: tools = [] } = useTools()
  const { data: teams = [] } = useTeams()
  const { data: skills = [] } = useSkills()
  const names = new Map([
    ...members.map(({ profile_id, name }) => [profile_id, name] as const),
    ...agents.map(({ localAgentId, name }) => [localAgentId ?? '', name] as const),
    ...[...tools, ...teams].map(({ id, name }) => [id, name] as const),
    ...skills.map(({ id, display_name }) => [id, display_name] as const),
  ])
  return (
    <SettingsSection title="Audit" description="What people changed in this workspace, the newest first.">
      <SectionList query={audit} what="audit" isEmpty={audit.events.length === 0} empty="Nothing has happened yet.">
        {audit.events.map((event) => (
          <AuditRow key={event.id} event={event} names={names} />
        ))}
      </SectionList>
      {audit.hasNextPage && (
        <div className="mt-4 flex justify-center">
          <Button variant="secondary" pending={audit.isFetchingNextPage} onClick={() => void audit.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </SettingsSection>
  )
}
