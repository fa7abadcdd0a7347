import { clsx } from 'clsx'
import { CircleAlert, CircleCheck, Hourglass, Pencil, TriangleAlert } from 'lucide-react'
import { IconButton } from '@/components/ui/icon-button'
import type { BudgetStatus } from '@/hooks/use-reports'
import { fullDay } from '@/lib/days'
import { formatMoney } from '@/lib/money'
import { words } from '@/words/en/money'
import { say } from '@/words/say'
import { percentOf, ProgressBar } from '@/components/ui/progress-bar'

/** How a budget stands, in words, by a sign and by a colour. */
export type BudgetLook = 'fine' | 'near' | 'over' | 'still'

const LOOKS = {
  fine: { icon: CircleCheck, text: 'text-success', bar: 'bg-brand' },
  near: { icon: TriangleAlert, text: 'text-warning', bar: 'bg-warning' },
  over: { icon: CircleAlert, text: 'text-danger', bar: 'bg-danger' },
  still: { icon: Hourglass, text: 'text-muted', bar: 'bg-control' },
} as const

/** Near: nine tenths are spent, or at this pace more than there is will be. */
export function budgetLook({ available, spent, pace }: Pick<BudgetStatus, 'available' | 'spent' | 'pace'>): BudgetLook {
  if (pace === 'over') return 'over'
  if (pace === 'not begun' || pace === 'ended') return 'still'
  return pace === 'too fast' || spent * 10 >= available * 9 ? 'near' : 'fine'
}

function lookWords(status: BudgetStatus, money: (amount: number) => string): string {
  const { pace, left, projected, on, period } = status
  switch (budgetLook(status)) {
    case 'over':
      return say(words.overBy, { amount: money(-left) })
    case 'near':
      return pace === 'too fast' ? say(words.atThisPace, { amount: money(projected) }) : words.nearTheLimit
    case 'still':
      return on < period.from || pace === 'not begun' ? words.notBegun : words.ended
    case 'fine':
      return words.onTrack
  }
}

interface BudgetBarProps {
  status: BudgetStatus
  /** Undefined for those who may not change it. */
  onEdit?: (opener: HTMLElement) => void
}

export function BudgetBar({ status, onEdit }: BudgetBarProps) {
  const { name, category, category_id, period, currency, available, carried, spent, left, days_left, left_per_day } = status
  const look = budgetLook(status)
  const { icon: Icon, text, bar } = LOOKS[look]
  const money = (amount: number) => formatMoney(amount, currency)
  const summary = say(words.spentOfAvailable, { spent: money(spent), available: money(available) })
  return (
    <li className="grid gap-2 p-4 sm:p-5">
      <div className="flex items-start gap-3">
        <div className="min-w-0 grow">
          <p className="flex flex-wrap items-baseline gap-x-2">
            <span dir="auto" className="font-medium wrap-anywhere">{name}</span>
            <span className="text-sm text-muted">
              {category_id === null ? words.allSpending : category}
            </span>
          </p>
          <p className={clsx('mt-0.5 flex items-center gap-1.5 text-sm', text)}>
            <Icon aria-hidden className="size-4 shrink-0" />
            {lookWords(status, money)}
          </p>
        </div>
        <div className="text-right tabular-nums">
          <p className="font-medium whitespace-nowrap">{left >= 0 ? say(words.amountLeft, { amount: money(left) }) : money(left)}</p>
          {left_per_day !== null && left > 0 && (
            <p className="text-sm text-muted">{say(words.perDayForDays, { amount: money(left_per_day), count: days_left })}</p>
          )}
        </div>
        {onEdit !== undefined && (
          <IconButton
            label={say(words.editName, { name })}
            onClick={(event) => {
              onEdit(event.currentTarget)
            }}
          >
            <Pencil aria-hidden className="size-4" />
          </IconButton>
        )}
      </div>
      <ProgressBar label={name} percent={percentOf(spent, available)} summary={summary} className={bar} />
      <p className="flex flex-wrap justify-between gap-x-4 text-sm text-muted tabular-nums">
        <span>
          {carried === 0 ? summary : say(words.withCarriedOver, { summary, amount: money(carried) })}
        </span>
        <span>{say(words.untilDay, { day: fullDay(period.to) })}</span>
      </p>
      {status.uncounted.length > 0 && (
        <p className="text-sm text-muted">
          {say(words.notCounted, { amounts: status.uncounted.map((sum) => formatMoney(sum.amount, sum.currency)).join(', ') })}
        </p>
      )}
    </li>
  )
}
