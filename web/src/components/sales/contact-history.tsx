// What happened with a contact: activities, stages of deals, changes, day by day, and who did it.
import type { DataRow, Kind } from '@/api/data'
import { ChangeItem, WhoDidIt } from '@/components/data/change-list'
import type { Choices } from '@/components/data/row-form'
import { choiceWords, textOf } from '@/components/data/values'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { ErrorState } from '@/components/ui/error-state'
import { Section } from '@/components/ui/section'
import { Skeleton } from '@/components/ui/skeleton'
import { type DealStage, type HistoryEntry, useContactHistory } from '@/hooks/use-sales'
import { fullDay } from '@/lib/days'
import { words } from '@/words/en/sales'
import { rich } from '@/words/rich'
import { Handshake } from 'lucide-react'
import { ActivityIcon, DueWords } from './activity-item'
import { StageBadge } from './stages'

interface ContactHistoryProps {
  contact: string
  kinds: readonly Kind[]
  choices: Choices
  mayChange: boolean
}

export function ContactHistory({ contact, kinds, choices, mayChange }: ContactHistoryProps) {
  const query = useContactHistory(contact)
  return (
    <Section title={words.history}>
      {query.isPending && (
        <div role="status">
          <span className="sr-only">{words.loadingHistory}</span>
          <Skeleton className="h-40" />
        </div>
      )}
      {query.isLoadingError && <ErrorState title={words.historyNotLoaded} error={query.error} retrying={query.isFetching} onRetry={() => void query.refetch()} />}
      {query.isSuccess && query.entries.length === 0 && <EmptyState title={words.noHistory} />}
      {daysOf(query.entries).map(({ day, entries }) => (
        <div key={day} className="grid grid-cols-1 gap-x-4 border-t border-border py-3 sm:grid-cols-[7rem_minmax(0,1fr)]">
          <h3 className="pt-1 text-xs font-medium text-muted sm:pt-3">{fullDay(day)}</h3>
          <ol className="divide-y divide-border [&>li]:py-3 [&>li]:first:pt-3 [&>li]:last:pb-3">
            {entries.map((entry) => (
              <Entry key={entry.id} entry={entry} kinds={kinds} choices={choices} mayChange={mayChange} />
            ))}
          </ol>
        </div>
      ))}
      {query.hasNextPage && (
        <Button variant="secondary" pending={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {words.showOlder}
        </Button>
      )}
    </Section>
  )
}

/** In the order they came in: the latest day first. */
function daysOf(entries: readonly HistoryEntry[]): { day: string; entries: HistoryEntry[] }[] {
  const days: { day: string; entries: HistoryEntry[] }[] = []
  for (const entry of entries) {
    const last = days.at(-1)
    if (last?.day === entry.day) last.entries.push(entry)
    else days.push({ day: entry.day, entries: [entry] })
  }
  return days
}

function Entry({ entry, kinds, choices, mayChange }: Omit<ContactHistoryProps, 'contact'> & { entry: HistoryEntry }) {
  switch (entry.of) {
    case 'activity':
      return <ActivityEntry row={entry.row} />
    case 'stage':
      return <StageEntry stage={entry.stage} />
    case 'change': {
      const kind = kinds.find(({ name }) => name === entry.change.kind)
      return kind === undefined ? null : <ChangeItem change={entry.change} kind={kind} choices={choices} title={undefined} namesRow={false} mayUndo={mayChange} />
    }
  }
}

function ActivityEntry({ row: { fields, titles }, row }: { row: DataRow }) {
  const type = textOf(fields.type)
  const notes = textOf(fields.notes)
  return (
    <li className="flex gap-3 text-sm">
      <span className="mt-0.5">
        <ActivityIcon type={type} />
      </span>
      <div className="min-w-0 grow">
        <p className="wrap-anywhere">{rich(words.activityTitle, { type: choiceWords(type), subject: <span dir="auto" className="font-medium">{textOf(fields.subject)}</span> })}</p>
        {notes !== '' && <p dir="auto" className="mt-0.5 line-clamp-4 whitespace-pre-wrap text-muted wrap-anywhere">{notes}</p>}
        <p className="mt-0.5 text-muted">
          <DueWords row={row} />
          {titles.assignee_id !== undefined && <> · <span dir="auto">{titles.assignee_id}</span></>}
        </p>
      </div>
    </li>
  )
}

function StageEntry({ stage: { deal, stage, ...author } }: { stage: DealStage }) {
  const { profile_id = null, agent_id = null, conversation_id = null, approved_by = null } = author
  return (
    <li className="flex gap-3 text-sm">
      <Handshake aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
      <div className="min-w-0 grow">
        <p className="wrap-anywhere">{rich(words.stageReached, { deal: <span dir="auto" className="font-medium">{deal}</span>, stage: <span className="inline-flex align-middle"><StageBadge stage={stage} /></span> })}</p>
        <p className="mt-0.5 text-muted">
          <WhoDidIt change={{ profile_id, agent_id, conversation_id, approved_by }} />
        </p>
      </div>
    </li>
  )
}
