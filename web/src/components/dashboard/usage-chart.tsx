import type { UsageDay } from '@/api/types'
import { money, short } from '@/lib/amounts'
import { calendarDay } from '@/lib/when'
import { words } from '@/words/en/dashboard'

interface UsageChartProps {
  days: readonly UsageDay[]
  measure: 'tokens' | 'cost'
}

/** A bar for each day. Hidden from readers: <UsageTable> says the same in words. */
export function UsageChart({ days, measure }: UsageChartProps) {
  const { bars, highest } = usageBars(days, measure)
  const said = (value: number) => (measure === 'tokens' ? short(value) : money(value))
  const first = days[0]
  const last = days.at(-1)
  if (highest === 0) {
    return (
      <p className="flex h-40 items-center justify-center text-sm text-muted">
        {measure === 'cost' ? words.nothingWasChargedInThese : words.nothingWasUsedInThese}
      </p>
    )
  }
  return (
    <div aria-hidden>
      <p className="mb-1 flex items-center justify-between text-xs text-muted">
        <span className="tabular-nums">{said(highest)}</span>
        {measure === 'tokens' && (
          <span className="flex gap-3">
            <Key className="bg-brand" label={words.input} />
            <Key className="bg-brand/45" label={words.output} />
          </span>
        )}
      </p>
      <svg
        viewBox={`0 0 ${days.length * 10} 100`}
        preserveAspectRatio="none"
        className="h-32 w-full border-y border-border"
      >
        {bars.map(({ day, x, lower, upper, value }) => (
          <g key={day.date} className="group">
            <title>{`${calendarDay(day.date)}: ${said(value)}`}</title>
            <rect x={x} y={0} width={10} height={100} className="fill-transparent group-hover:fill-subtle" />
            <rect x={x + 1.5} y={100 - lower} width={7} height={lower} className="fill-brand" />
            <rect x={x + 1.5} y={100 - lower - upper} width={7} height={upper} className="fill-brand/45" />
          </g>
        ))}
      </svg>
      <p className="mt-1.5 flex justify-between text-xs text-muted">
        <span>{first && calendarDay(first.date)}</span>
        <span>{last && calendarDay(last.date)}</span>
      </p>
    </div>
  )
}

function Key({ className, label }: { className: string; label: string }) {
  return (
    <span className="flex items-center gap-1.5">
      <span className={`size-2 rounded-xs ${className}`} />
      {label}
    </span>
  )
}

interface Bar {
  day: UsageDay
  x: number
  /** Heights from 0 to 100: input below output, or the cost alone. */
  lower: number
  upper: number
  value: number
}

/** Where the bars of a chart stand, ten units wide each, the highest of them 100 high. */
export function usageBars(days: readonly UsageDay[], measure: 'tokens' | 'cost'): { bars: Bar[]; highest: number } {
  const parts = days.map((day) =>
    measure === 'tokens' ? [day.input_tokens, day.output_tokens] as const : [day.cost_usd ?? 0, 0] as const,
  )
  const highest = Math.max(0, ...parts.map(([lower, upper]) => lower + upper))
  const height = (value: number) => (highest === 0 ? 0 : (value / highest) * 100)
  const bars = days.map((day, index) => {
    const [lower, upper] = parts[index] ?? [0, 0]
    return { day, x: index * 10, lower: height(lower), upper: height(upper), value: lower + upper }
  })
  return { bars, highest }
}
