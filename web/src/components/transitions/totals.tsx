import { clsx } from 'clsx'
import type { Transitions } from '@/api/types'
import { Card } from '@/components/ui/card'
import { duration, percent, short } from '@/lib/amounts'
import { words } from '@/words/en/transitions'
import { say } from '@/words/say'

/** All handoffs taken together. */
export function Totals({ totals }: { totals: Transitions['totals'] }) {
  const { attempts, completed, success_rate, average_latency_ms, tokens_full, tokens_sent, tokens_saved } = totals
  const figures = [
    { name: words.handoffs, value: attempts.toLocaleString(), note: say(words.countCompleted, { count: completed }) },
    { name: words.successRate, value: success_rate === null ? '–' : percent(success_rate), note: words.ofAllAttempts },
    {
      name: words.tokensSaved,
      value: short(tokens_saved),
      note: say(words.sentInsteadOf, { sent: short(tokens_sent), full: short(tokens_full) }),
    },
    {
      name: words.averageTime,
      value: average_latency_ms === null ? '–' : duration(average_latency_ms),
      note: words.fromTheDecision,
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
    <div role="group" aria-label={words.period} className="flex shrink-0 rounded-lg bg-subtle p-0.5">
      {PERIODS.map((days) => (
        <button
          key={days}
          type="button"
          aria-pressed={days === value}
          aria-label={say(words.lastDays, { days })}
          className={clsx(
            'h-8 rounded-md px-2.5 text-sm font-medium whitespace-nowrap pointer-coarse:h-10',
            days === value ? 'bg-surface text-foreground shadow-lift' : 'text-muted hover:text-foreground',
          )}
          onClick={() => {
            onChange(days)
          }}
        >
          {say(words.days, { days })}
        </button>
      ))}
    </div>
  )
}
