import { clsx } from 'clsx'
import { CalendarDays } from 'lucide-react'
import type { DataRow } from '@/api/data'
import { PersonMark } from '@/components/data/person-mark'
import { textOf } from '@/components/data/values'
import { calendarDay } from '@/lib/when'
import { today } from '@/lib/days'
import { formatMoney } from '@/lib/money'
import { words } from '@/words/en/sales'
import { say } from '@/words/say'
import { isClosed } from './stages'

/** With the gap below it. */
export const DEAL_CARD = 132

/** What a card says below the deal's name: with whom, how much, until when, whose. */
export function DealCard({ row: { fields, titles } }: { row: DataRow }) {
  const company = [titles.company_id, titles.contact_id].filter((name) => name !== undefined).join(' · ')
  const closes = textOf(isClosed(fields.stage) ? fields.closed_on : fields.expected_close_on)
  const isLate = !isClosed(fields.stage) && closes !== '' && closes < today()
  const said = isClosed(fields.stage) ? words.closedOn : isLate ? words.overdueSince : words.closesOn
  const owner = titles.owner_id
  return (
    <>
      <p dir="auto" className="truncate text-muted">{company === '' ? words.withoutCompany : company}</p>
      <div className="mt-auto flex items-center gap-2">
        <span className="min-w-0 truncate font-medium tabular-nums">{formatMoney(Number(fields.amount), String(fields.currency))}</span>
        {closes !== '' && (
          <span className={clsx('flex shrink-0 items-center gap-1 text-xs tabular-nums', isLate ? 'text-danger' : 'text-muted')} title={say(said, { day: calendarDay(closes) })}>
            <CalendarDays aria-hidden className="size-3.5" />
            <span className="sr-only">{say(said, { day: calendarDay(closes) })}</span>
            <span aria-hidden>{calendarDay(closes)}</span>
          </span>
        )}
        <span className="grow" />
        {owner !== undefined && <PersonMark name={owner} label={say(words.ownedBy, { name: owner })} />}
      </div>
    </>
  )
}
