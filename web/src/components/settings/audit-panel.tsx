import { SectionList, SettingsSection } from '@/components/forms/section'
import { Button } from '@/components/ui/button'
import { useHiredAgents } from '@/hooks/use-agent-lists'
import { useMembers } from '@/hooks/use-members'
import { useSkills } from '@/hooks/use-skills'
import { useTeams } from '@/hooks/use-teams'
import { useTools } from '@/hooks/use-tools'
import { type AuditEvent, useAudit } from '@/hooks/use-workspace-settings'
import { ago, dateAndTime } from '@/lib/when'
import { words as common } from '@/words/en/common'
import { words } from '@/words/en/settings'
import { auditSubject, auditWords } from './audit-words'

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
    <SettingsSection title={words.audit} description={words.auditDescription}>
      <SectionList query={audit} what="audit" isEmpty={audit.events.length === 0} empty={words.nothingHasHappenedYet}>
        {audit.events.map((event) => (
          <AuditRow key={event.id} event={event} names={names} />
        ))}
      </SectionList>
      {audit.hasNextPage && (
        <div className="mt-4 flex justify-center">
          <Button variant="secondary" pending={audit.isFetchingNextPage} onClick={() => void audit.fetchNextPage()}>
            {common.showMore}
          </Button>
        </div>
      )}
    </SettingsSection>
  )
}

interface AuditRowProps {
  event: AuditEvent
  /** Of people, agents, teams, tools and skills, by id. What was deleted is known by the event alone. */
  names: ReadonlyMap<string, string>
}

function AuditRow({ event, names }: AuditRowProps) {
  const { profile_id, action, subject, details, created_at } = event
  const who = profile_id === null ? words.baton : (names.get(profile_id) ?? words.someoneWhoLeft)
  const { about, more } = auditSubject(details, subject === null || subject === profile_id ? undefined : names.get(subject), (id) => names.get(id))
  return (
    <li className="flex items-baseline justify-between gap-x-4 py-2.5 text-sm first:pt-0 last:pb-0">
      <p className="min-w-0 wrap-anywhere">
        <span className="font-medium">{who}</span> {auditWords(action)}
        {about !== undefined && <span className="text-muted">: {about}</span>}
        {more !== '' && <span className="text-muted"> ({more})</span>}
      </p>
      <time dateTime={created_at} title={dateAndTime(created_at)} className="shrink-0 text-xs text-muted">
        {ago(created_at)}
      </time>
    </li>
  )
}
