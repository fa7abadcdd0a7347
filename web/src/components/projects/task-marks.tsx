// How tasks look: their status, priority and day.
import { clsx } from 'clsx'
import { Ban, CalendarDays, ChevronDown, ChevronsUp, ChevronUp, CircleCheck, CircleDashed, CircleDot, type LucideIcon } from 'lucide-react'
import type { DataRow, Kind } from '@/api/data'
import { choiceWords, textOf } from '@/components/data/values'
import { today } from '@/lib/days'
import { calendarDay } from '@/lib/when'
import { words } from '@/words/en/projects'
import { say } from '@/words/say'

interface Mark {
  icon: LucideIcon
  tone: string
}

const STATUSES: Record<string, Mark> = {
  todo: { icon: CircleDashed, tone: 'text-muted' },
  in_progress: { icon: CircleDot, tone: 'text-info' },
  blocked: { icon: Ban, tone: 'text-danger' },
  done: { icon: CircleCheck, tone: 'text-success' },
}

const PRIORITIES: Record<string, Mark> = {
  low: { icon: ChevronDown, tone: 'text-muted' },
  high: { icon: ChevronUp, tone: 'text-warning' },
  urgent: { icon: ChevronsUp, tone: 'text-danger' },
}

export function statusesOf(tasks: Kind): readonly string[] {
  return choicesOf(tasks, 'status')
}

export function choicesOf(kind: Kind, field: string): readonly string[] {
  return kind.fields.find(({ name }) => name === field)?.choices ?? []
}

export function StatusMark({ column }: { column: string }) {
  const { icon: Icon, tone } = STATUSES[column] ?? { icon: CircleDashed, tone: 'text-muted' }
  return <Icon aria-hidden className={clsx('size-4 shrink-0', tone)} />
}

export function StatusWords({ status }: { status: string }) {
  return (
    <span className="flex items-center gap-2">
      <StatusMark column={status} />
      {choiceWords(status)}
    </span>
  )
}

/** Nothing of a priority that is as usual. */
export function PriorityMark({ priority }: { priority: string }) {
  const mark = PRIORITIES[priority]
  if (mark === undefined) return null
  const said = say(words.priority, { priority: choiceWords(priority) })
  return (
    <span title={said} className="shrink-0">
      <mark.icon aria-hidden className={clsx('size-4', mark.tone)} />
      <span className="sr-only">{said}</span>
    </span>
  )
}

/** The one status in which nothing is left to do. */
export const DONE = 'done'

export function isDone({ fields }: Pick<DataRow, 'fields'>): boolean {
  return fields.status === DONE
}

/** Whether its day is past and it still isn't done. */
export function isOverdue({ fields }: Pick<DataRow, 'fields'>, on = today()): boolean {
  const due = textOf(fields.due_on)
  const isClosed = ['done', 'completed', 'cancelled'].includes(textOf(fields.status))
  return due !== '' && due < on && !isClosed
}

/** The day until which something is to be done: red if that is past. */
export function DueMark({ row }: { row: Pick<DataRow, 'fields'> }) {
  const due = textOf(row.fields.due_on)
  if (due === '') return null
  const isLate = isOverdue(row)
  const isToday = !isLate && due === today() && !isDone(row)
  const said = isLate ? say(words.overdue, { day: calendarDay(due) }) : isToday ? words.dueToday : say(words.due, { day: calendarDay(due) })
  return (
    <span title={said} className={clsx('flex shrink-0 items-center gap-1 text-xs tabular-nums', isLate ? 'font-medium text-danger' : isToday ? 'text-warning' : 'text-muted')}>
      <CalendarDays aria-hidden className="size-3.5" />
      <span className="sr-only">{said}</span>
      <span aria-hidden>{calendarDay(due)}</span>
    </span>
  )
}
