import { clsx } from 'clsx'

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
