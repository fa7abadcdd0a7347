// One activity: what it is, when it is due, whether it is done, and the button that says so.
import { clsx } from 'clsx'
import { useMutation } from '@tanstack/react-query'
import { Check, Circle, ListTodo, Mail, type LucideIcon, Phone, StickyNote, Users } from 'lucide-react'
import type { DataRow } from '@/api/data'
import { messageOf } from '@/api/errors'
import { textOf } from '@/components/data/values'
import { useRowActions } from '@/hooks/use-data'
import { fullDay, today } from '@/lib/days'
import { notify } from '@/lib/toasts'
import { words } from '@/words/en/sales'
import { say } from '@/words/say'

export const ACTIVITY_ICONS: Record<string, LucideIcon> = { call: Phone, email: Mail, meeting: Users, task: ListTodo, note: StickyNote }

export function isDone({ fields }: DataRow): boolean {
  return textOf(fields.done_on) !== ''
}

/** Sets or takes back that it is done. */
export function useDone() {
  const { change } = useRowActions('activities')
  return useMutation({
    mutationFn: (row: DataRow) => change(row, { done_on: isDone(row) ? null : today() }),
    onSuccess: (_, row) => {
      notify(say(isDone(row) ? words.isNotDone : words.isDone, { subject: textOf(row.fields.subject) }))
    },
    onError: (error) => {
      notify(messageOf(error), 'error')
    },
  })
}

/** A round box that is ticked when it is done. */
export function DoneMark({ row }: { row: DataRow }) {
  return isDone(row) ? (
    <span className="flex size-5 items-center justify-center rounded-full bg-success text-surface">
      <Check aria-hidden className="size-3.5" strokeWidth={3} />
    </span>
  ) : (
    <Circle aria-hidden className="size-5 text-control" />
  )
}

export function DoneButton({ row }: { row: DataRow }) {
  const { mutate, isPending } = useDone()
  const subject = textOf(row.fields.subject)
  return (
    <button
      type="button"
      aria-pressed={isDone(row)}
      aria-label={say(words.markAsDone, { subject })}
      aria-busy={isPending || undefined}
      className="-m-1.5 flex size-8 shrink-0 items-center justify-center rounded-full hover:bg-subtle pointer-coarse:-m-3 pointer-coarse:size-11"
      onClick={() => {
        if (!isPending) mutate(row)
      }}
    >
      <DoneMark row={row} />
    </button>
  )
}

/** When it is due, or when it was done. */
export function DueWords({ row: { fields } }: { row: DataRow }) {
  const [due, done] = [textOf(fields.due_on), textOf(fields.done_on)]
  if (done !== '') return <span className="text-muted">{say(words.doneOn, { day: fullDay(done) })}</span>
  if (due === '') return null
  const isLate = due < today()
  const said = isLate ? say(words.overdue, { day: fullDay(due) }) : due === today() ? words.dueToday : say(words.dueOn, { day: fullDay(due) })
  return <span className={clsx(isLate ? 'text-danger' : due === today() ? 'text-warning' : 'text-muted')}>{said}</span>
}

export function ActivityIcon({ type }: { type: string }) {
  const Icon = ACTIVITY_ICONS[type] ?? StickyNote
  return <Icon aria-hidden className="size-4 shrink-0 text-muted" />
}
