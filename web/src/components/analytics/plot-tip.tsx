import { clsx } from 'clsx'
import { words } from '@/words/en/analytics'
import { say } from '@/words/say'
import { groundOf } from './plot-colors'
import type { PlotData } from './plot-layout'

interface PlotTipProps {
  data: PlotData
  bucket: number
  /** From 0 to 1: where the bucket stands. */
  x: number
  format: (value: number | null) => string
}

/** What a bucket holds, beside it. Readers hear it from the control that chose it. */
export function PlotTip({ data, bucket, x, format }: PlotTipProps) {
  const rows = data.lines.flatMap(({ key, label, values }, place) => {
    const value = values[bucket] ?? null
    return value === null ? [] : [{ key, label: data.lines.length > 1 ? label : words.thisPeriod, value, place }]
  })
  const before = data.before[bucket] ?? null
  const ahead = data.forecast[bucket] ?? null
  return (
    <div
      aria-hidden
      className={clsx(
        'pointer-events-none absolute top-2 z-10 w-max max-w-[80%] rounded-lg border border-border bg-surface px-3 py-2 text-xs shadow-float',
        x > 0.5 ? '-translate-x-[calc(100%+0.75rem)]' : 'translate-x-3',
      )}
      style={{ left: `${x * 100}%` }}
    >
      <p className="mb-1 font-medium">{data.names[bucket]}</p>
      <dl className="grid grid-cols-[auto_auto] gap-x-4 gap-y-0.5 tabular-nums">
        {rows.map(({ key, label, value, place }) => (
          <Row key={key} label={label} swatch={clsx('rounded-xs', groundOf(place))} value={format(value)} />
        ))}
        {rows.length === 0 && ahead === null && <Row label={words.thisPeriod} value={words.noValue} />}
        {before !== null && <Row label={words.periodBefore} swatch="h-0 border-t-2 border-dashed border-control" value={format(before)} />}
        {ahead !== null && (
          <>
            <Row label={words.forecast} swatch="bg-plot-1/40 rounded-xs" value={format(ahead.value)} />
            <dd className="col-span-2 text-right text-muted">{say(words.between, { lower: format(ahead.lower), upper: format(ahead.upper) })}</dd>
          </>
        )}
      </dl>
    </div>
  )
}

function Row({ label, swatch, value }: { label: string; swatch?: string; value: string }) {
  return (
    <>
      <dt className="flex min-w-0 items-center gap-1.5 text-muted">
        <span className={clsx('size-2.5 shrink-0', swatch)} />
        <span dir="auto" className="truncate">{label}</span>
      </dt>
      <dd className="text-right font-medium">{value}</dd>
    </>
  )
}
