import type { AuditEvent } from '@/api/workspaces'
import { ago, dateAndTime } from '@/lib/when'
import { auditSubject, auditWords } from './audit-words'

interface AuditRowProps {
  event: AuditEvent
  /** Of people, agents, teams, tools and skills, by id. What was deleted is known by the event alone. */
  names: ReadonlyMap<string, string>
}

export function AuditRow({ event, names }: AuditRowProps) {
  const { profile_id, action, subject, details, created_at } = event
  const who = profile_id === null ? 'Baton' : (names.get(profile_id) ?? 'Someone who left')
  const { about, more } = auditSubject(details, subject === null || subject === profile_id ? undefined : names.get(subject))
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
