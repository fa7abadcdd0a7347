import { clsx } from 'clsx'
import { useId, useState } from 'react'
import { words } from '@/words/en/analytics'
import { say } from '@/words/say'
import { groundOf, fillOf, strokeOf } from './plot-colors'
import { bucketAt, layoutOf, namedPlaces, type Place, type PlotData, type PlotLayout } from './plot-layout'
import { PlotTip } from './plot-tip'

interface PlotProps {
  label: string
  data: PlotData
  /** For the tip: the whole value. */
  format: (value: number | null) => string
  /** For the axis. */
  short: (value: number) => string
  leastStep: number
  /** Opens the bucket at a place; undefined if none can be opened. */
  onOpen?: (bucket: number) => void
}

const WIDTH = 1000
const HEIGHT = 300

/**
 * Values over time: bars or lines, the period before dashed, a forecast with its interval. A pointer or the arrow keys choose a
 * bucket, whose values are told; a click or Enter opens it. All numbers are in a table beside it.
 */
export function Plot({ label, data, format, short, leastStep, onOpen }: PlotProps) {
  const [chosen, setChosen] = useState<number | null>(null)
  const hint = useId()
  const layout = layoutOf(data, leastStep)
  const last = data.names.length - 1
  const at = chosen === null ? null : Math.min(chosen, last)
  const told = (bucket: number) => wordsOf(data, bucket, format)
  const open = (bucket: number) => {
    // What is only forecast has nothing behind it.
    if (data.lines.some(({ values }) => (values[bucket] ?? null) !== null)) onOpen?.(bucket)
  }
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3">
      <Axis layout={layout} short={short} />
      <div
        className={clsx(
          'relative h-56 rounded-sm has-focus-visible:outline-2 has-focus-visible:outline-offset-4 has-focus-visible:outline-brand sm:h-72',
          onOpen !== undefined && 'cursor-pointer',
        )}
        onPointerMove={(event) => {
          const box = event.currentTarget.getBoundingClientRect()
          if (box.width > 0) setChosen(bucketAt((event.clientX - box.left) / box.width, data.names.length))
        }}
        onPointerLeave={() => {
          setChosen(null)
        }}
        onClick={() => {
          if (at !== null) open(at)
        }}
      >
        <Marks data={data} layout={layout} at={at} />
        {last > 0 && (
          <>
            <span id={hint} className="sr-only">{words.openBucket}</span>
            <input
              type="range"
              aria-label={label}
              aria-describedby={onOpen === undefined ? undefined : hint}
              aria-valuetext={told(at ?? last)}
              min={0}
              max={last}
              value={at ?? last}
              className="pointer-events-none absolute inset-0 size-full opacity-0"
              onChange={(event) => {
                setChosen(Number(event.target.value))
              }}
              onFocus={() => {
                setChosen((before) => before ?? last)
              }}
              onBlur={() => {
                setChosen(null)
              }}
              onKeyDown={(event) => {
                if (event.key === 'Enter') open(at ?? last)
              }}
            />
          </>
        )}
        {at !== null && <PlotTip data={data} bucket={at} x={layout.centers[at] ?? 0} format={format} />}
      </div>
      <Names names={data.names} />
    </div>
  )
}

function Axis({ layout, short }: { layout: PlotLayout; short: (value: number) => string }) {
  const labels = layout.ticks.map(({ value }) => short(value))
  return (
    <div aria-hidden className="relative min-w-8 text-right text-xs text-muted tabular-nums">
      {/* The widest label makes the room; the others stand where their values are. */}
      <span className="invisible">{labels.reduce((a, b) => (b.length > a.length ? b : a), '')}</span>
      {layout.ticks.map(({ value, y }, place) => (
        <span key={value} className="absolute right-0 -translate-y-1/2" style={{ top: `${y * 100}%` }}>
          {labels[place]}
        </span>
      ))}
    </div>
  )
}

function Marks({ data, layout, at }: { data: PlotData; layout: PlotLayout; at: number | null }) {
  const slot = WIDTH / Math.max(data.names.length, 1)
  const thin = { fill: 'none', vectorEffect: 'non-scaling-stroke' } as const
  return (
    <svg aria-hidden viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" className="size-full overflow-visible">
      {layout.ticks.map(({ value, y }) => (
        <line key={value} x1={0} x2={WIDTH} y1={y * HEIGHT} y2={y * HEIGHT} className="stroke-border" vectorEffect="non-scaling-stroke" />
      ))}
      {at !== null && <rect x={at * slot} y={0} width={slot} height={HEIGHT} className="fill-subtle" />}
      {layout.band.length > 0 && <path d={`${pathOf(layout.band)}Z`} className="fill-plot-1/18" />}
      {layout.bars.map(({ bucket, line, x, width, y, height }) => (
        <rect
          key={`${bucket} ${line}`}
          x={x * WIDTH}
          y={y * HEIGHT}
          width={width * WIDTH}
          height={height * HEIGHT}
          className={clsx(fillOf(line), at !== null && at !== bucket && 'opacity-60')}
        />
      ))}
      {layout.before.map((points, place) => (
        <path key={place} {...thin} d={pathOf(points)} strokeWidth={1.5} strokeDasharray="3 3" className="stroke-control" />
      ))}
      {layout.lines.map(({ line, points }, place) => (
        <path key={place} {...thin} d={pathOf(points)} strokeWidth={2} strokeLinejoin="round" className={strokeOf(line)} />
      ))}
      {layout.forecast.length > 0 && (
        <path {...thin} d={pathOf(layout.forecast)} strokeWidth={2} strokeDasharray="6 4" className="stroke-plot-1" />
      )}
      {layout.zero !== undefined && (
        <line x1={0} x2={WIDTH} y1={layout.zero * HEIGHT} y2={layout.zero * HEIGHT} className="stroke-control" vectorEffect="non-scaling-stroke" />
      )}
    </svg>
  )
}

function Names({ names }: { names: readonly string[] }) {
  const slot = 100 / Math.max(names.length, 1)
  return (
    <div aria-hidden className="relative col-start-2 mt-2 h-4 text-xs text-muted">
      {/* A phone has room for fewer. */}
      {([['sm:hidden', 3], ['max-sm:hidden', 6]] as const).map(([shown, most]) =>
        namedPlaces(names.length, most).map((place) => (
          <span
            key={`${shown} ${place}`}
            className={clsx('absolute -translate-x-1/2 whitespace-nowrap', shown)}
            style={{ left: `${Math.min(Math.max((place + 0.5) * slot, 6), 94)}%` }}
          >
            {names[place]}
          </span>
        )),
      )}
    </div>
  )
}

function pathOf(places: readonly Place[]): string {
  // A point alone is drawn as a short stroke.
  const all = places.length === 1 ? [...places, ...places.map(({ x, y }) => ({ x: x + 0.004, y }))] : places
  return `M${all.map(({ x, y }) => `${(x * WIDTH).toFixed(1)},${(y * HEIGHT).toFixed(1)}`).join(' ')}`
}

/** A bucket in words, for readers. */
function wordsOf(data: PlotData, bucket: number, format: (value: number | null) => string): string {
  const lines = data.lines.flatMap(({ label, values }) => {
    const value = values[bucket] ?? null
    return value === null ? [] : [data.lines.length > 1 ? `${label} ${format(value)}` : format(value)]
  })
  const ahead = data.forecast[bucket] ?? null
  const forecast = ahead === null ? [] : [`${words.forecast} ${format(ahead.value)}`, say(words.between, { lower: format(ahead.lower), upper: format(ahead.upper) })]
  return say(words.plotOf, { figure: [...lines, ...forecast].join(', ') || words.noValue, bucket: data.names[bucket] ?? '' })
}

/** Which colour is which, where there is more than one mark. */
export function Legend({ data }: { data: PlotData }) {
  const hasBefore = data.before.some((value) => value !== null)
  const hasForecast = data.forecast.some((point) => point !== null)
  if (data.lines.length < 2 && !hasBefore && !hasForecast) return null
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
      {data.lines.map(({ key, label }, place) => (
        <li key={key} className="flex min-w-0 items-center gap-1.5">
          <span aria-hidden className={clsx('size-2.5 shrink-0 rounded-xs', groundOf(place))} />
          <span dir="auto" className="truncate">{data.lines.length > 1 ? label : words.thisPeriod}</span>
        </li>
      ))}
      {hasBefore && (
        <li className="flex items-center gap-1.5">
          <span aria-hidden className="w-4 border-t-2 border-dashed border-control" />
          {words.periodBefore}
        </li>
      )}
      {hasForecast && (
        <li className="flex items-center gap-1.5">
          <span aria-hidden className="h-2.5 w-4 border-t-2 border-dashed border-plot-1 bg-plot-1/18" />
          {words.forecast}
        </li>
      )}
    </ul>
  )
}
