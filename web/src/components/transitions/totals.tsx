import { clsx } from 'clsx'
import type { Transitions } from '@/api/types'
import { Card } from '@/components/ui/card'
import { duration, percent, short } from '@/lib/amounts'

/** All handoffs taken together. */
export function Totals({ totals }: { totals: Transitions['totals'] }) {
  const { attempts, completed, success_rate, average_latency_ms, tokens_full, tokens_sent, tokens_saved } = totals
  const figures = [
    { name: 'Handoffs', value: attempts.toLocaleString(), note: `${completed.toLocaleString()} completed` },
    { name: 'Success rate', value: success_rate === null ? '–' : percent(success_rate), note: 'of all attempts' },
    {
      name: 'Tokens saved',
      value: short(tokens_saved),
      note: `${short(tokens_sent)} sent instead of ${short(tokens_full)}`,
    },
    {
      name: 'Average time',
      value: average_latency_ms === null ? '–' : duration(average_latency_ms),
      note: 'from the decision to the handoff',
    },
  ]
  return (
    <dl className="grid grid-cols-2 gap-3 sm:gap-5 xl:grid-cols-4">
      {figures.map(({ name, value, note }) => (
        <Card key={name} className="p-4 sm:p-5">
          <dt className="text-sm text-muted">{name}</dt>
          <dd className="mt-2 text-2xl font-semibold tabular-nums">{value}</dd>
          <dd className="mt-1 text-xs text-muted">{note}</dd>
        </Card>
      ))}
    </dl>
  )
}

const PERIODS = [7, 30, 90] as const

interface PeriodChoiceProps {
  value: number
  onChange: (days: number) => void
}

/** How far back to look. */
export function PeriodChoice({ value, onChange }: PeriodChoiceProps) {
  return (
    <div role="group" aria-label="Period" className="flex shrink-0 rounded-lg bg-subtle p-0.5">
      {PERIODS.map((days) => (
        <button
          key={days}
          type="button"
          aria-pressed={days === value}
          aria-label={`Last ${days} days`}
          className={clsx(
            'h-8 rounded-md px-2.5 text-sm font-medium whitespace-nowrap pointer-coarse:h-10',
            days === value ? 'bg-surface text-foreground shadow-lift' : 'text-muted hover:text-foreground',
          )}
          onClick={() => {
            onChange(days)
          }}
        >
          {days} days
        </button>
      ))}
    </div>
  )
}
