import { useState } from 'react'
import { fullDay, monthDay } from '@/lib/days'
import { formatMoney, shortMoney } from '@/lib/money'
import { words } from '@/words/en/money'
import { say } from '@/words/say'
import { lineOf, nearest, pathOf, type Point } from '@/lib/line-chart'

interface NetWorthChartProps {
  points: readonly Point[]
  currency: string
}

const WIDTH = 600
const HEIGHT = 180

/**
 * A line over time. A pointer or the arrow keys choose a day, whose value is told; all values are in a table for readers.
 */
export function NetWorthChart({ points, currency }: NetWorthChartProps) {
  const [chosen, setChosen] = useState<number | null>(null)
  const { places, ticks } = lineOf(points, WIDTH, HEIGHT)
  const last = points.length - 1
  const at = Math.min(chosen ?? last, last)
  const point = points[at]
  const place = places[at]
  if (point === undefined || place === undefined) return null
  const path = pathOf(places)
  const zero = ticks.find(({ value }) => value === 0)
  const said = (one: Point) => say(words.amountOnDay, { amount: formatMoney(one.value, currency), day: fullDay(one.day) })
  return (
    <figure className="grid gap-4">
      <figcaption className="flex flex-wrap items-baseline gap-x-3">
        <span className="text-2xl font-semibold tabular-nums">{formatMoney(point.value, currency)}</span>
        <span className="text-sm text-muted">{fullDay(point.day)}</span>
      </figcaption>
      <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3">
        <div aria-hidden className="relative min-w-12 text-right text-xs text-muted tabular-nums">
          {/* The widest label makes the room; the others stand where their values are. */}
          <span className="invisible">{ticks.map(({ value }) => shortMoney(value, currency)).reduce(longer, '')}</span>
          {ticks.map(({ value, y }) => (
            <span key={value} className="absolute right-0 -translate-y-1/2" style={{ top: `${(y / HEIGHT) * 100}%` }}>
              {shortMoney(value, currency)}
            </span>
          ))}
        </div>
        <div
          className="relative h-44 rounded-sm has-focus-visible:outline-2 has-focus-visible:outline-offset-4 has-focus-visible:outline-brand"
          onPointerMove={(event) => {
            const box = event.currentTarget.getBoundingClientRect()
            if (box.width > 0) setChosen(nearest(places, ((event.clientX - box.left) / box.width) * WIDTH))
          }}
          onPointerLeave={() => {
            setChosen(null)
          }}
        >
          <svg aria-hidden viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" className="size-full overflow-visible">
            {ticks.map(({ value, y }) => (
              <line key={value} x1={0} x2={WIDTH} y1={y} y2={y} className="stroke-border" vectorEffect="non-scaling-stroke" />
            ))}
            {zero !== undefined && (
              <line x1={0} x2={WIDTH} y1={zero.y} y2={zero.y} className="stroke-control" vectorEffect="non-scaling-stroke" />
            )}
            {places.length > 1 && (
              <>
                <path d={`${path}L${WIDTH},${HEIGHT}L0,${HEIGHT}Z`} className="fill-brand/8" />
                <path d={path} fill="none" strokeWidth={2} strokeLinejoin="round" className="stroke-brand" vectorEffect="non-scaling-stroke" />
              </>
            )}
            {chosen !== null && (
              <line x1={place.x} x2={place.x} y1={0} y2={HEIGHT} className="stroke-control" vectorEffect="non-scaling-stroke" />
            )}
          </svg>
          <span
            aria-hidden
            className="pointer-events-none absolute size-2.5 -translate-1/2 rounded-full border-2 border-surface bg-brand"
            style={{ left: `${(place.x / WIDTH) * 100}%`, top: `${(place.y / HEIGHT) * 100}%` }}
          />
          {last > 0 && (
            <input
              type="range"
              aria-label={words.netWorthAt}
              aria-valuetext={said(point)}
              min={0}
              max={last}
              value={at}
              className="pointer-events-none absolute inset-0 size-full opacity-0"
              onChange={(event) => {
                setChosen(Number(event.target.value))
              }}
              onBlur={() => {
                setChosen(null)
              }}
            />
          )}
        </div>
        <div aria-hidden className="col-start-2 mt-2 flex justify-between text-xs text-muted">
          {[...new Set([0, Math.floor(last / 2), last])].map((index) => (
            <time key={index}>{monthDay(points[index]?.day ?? point.day)}</time>
          ))}
        </div>
      </div>
      <div className="sr-only">
        <table>
          <caption>{say(words.netWorthInCurrency, { currency })}</caption>
          <thead>
            <tr>
              <th scope="col">{words.day}</th>
              <th scope="col">{words.netWorth}</th>
            </tr>
          </thead>
          <tbody>
            {points.map(({ day, value }) => (
              <tr key={day}>
                <th scope="row">{fullDay(day)}</th>
                <td>{formatMoney(value, currency)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  )
}

function longer(a: string, b: string): string {
  return b.length > a.length ? b : a
}
