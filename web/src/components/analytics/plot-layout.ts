// Where the marks of a plot stand: pure, so that it can be looked at without a browser. All places are shares of the plot's
// width and height, from 0 to 1, with 0 at the top.
import { roundAxis } from '@/lib/line-chart'

export interface PlotLine {
  key: string
  label: string
  /** By bucket; null where there is no value. */
  values: readonly (number | null)[]
}

export interface PlotInterval {
  value: number
  lower: number
  upper: number
}

export interface PlotData {
  /** What each place on the axis is called. */
  names: readonly string[]
  lines: readonly PlotLine[]
  /** By bucket, of the period before. */
  before: readonly (number | null)[]
  /** By bucket; null where none is told. */
  forecast: readonly (PlotInterval | null)[]
  /** Bars for what happened, a line for what there was. */
  shape: 'bars' | 'line'
}

export interface Bar {
  bucket: number
  line: number
  x: number
  width: number
  y: number
  height: number
}

export interface PlotLayout {
  ticks: readonly { value: number; y: number }[]
  bars: readonly Bar[]
  /** Pieces of lines: a value that is missing interrupts them. */
  lines: readonly { line: number; points: readonly Place[] }[]
  before: readonly (readonly Place[])[]
  forecast: readonly Place[]
  band: readonly Place[]
  /** The middle of each bucket. */
  centers: readonly number[]
  zero: number | undefined
}

export interface Place {
  x: number
  y: number
}

/** Bars are stacked; only what is positive can be, so that others are lines. */
export function isStackable(lines: readonly PlotLine[]): boolean {
  return lines.length < 2 || lines.every(({ values }) => values.every((value) => value === null || value >= 0))
}

export function layoutOf(data: PlotData, leastStep: number): PlotLayout {
  const { names, lines, forecast, shape } = data
  const isStacked = shape === 'bars' && isStackable(lines)
  const tops = names.map((_, at) => {
    const here = lines.map(({ values }) => values[at] ?? 0)
    return isStacked ? here.reduce((sum, value) => sum + value, 0) : Math.max(...here)
  })
  const all = [
    ...tops,
    ...(isStacked ? [] : lines.flatMap(({ values }) => values.filter((value) => value !== null))),
    ...data.before.filter((value) => value !== null),
    ...forecast.flatMap((point) => (point === null ? [] : [point.lower, point.upper])),
  ]
  const known = all.length === 0 ? [0] : all
  // Bars begin at nothing.
  const from = shape === 'bars' ? Math.min(0, ...known) : Math.min(...known)
  const axis = roundAxis(from, Math.max(shape === 'bars' ? 0 : from, ...known), leastStep)
  const low = axis[0] ?? 0
  const high = axis.at(-1) ?? 1
  const y = (value: number) => 1 - (value - low) / (high - low)
  const slot = 1 / Math.max(names.length, 1)
  const center = (at: number) => (at + 0.5) * slot
  const pieces = (values: readonly (number | null | undefined)[]) => connected(values, (value, at) => ({ x: center(at), y: y(value) }))
  const ahead = connected(forecast.map((point) => point?.value), (value, at) => ({ x: center(at), y: y(value) })).flat()
  const edge = (of: (point: PlotInterval) => number) =>
    forecast.flatMap((point, at) => (point === null ? [] : [{ x: center(at), y: y(of(point)) }]))
  return {
    ticks: axis.map((value) => ({ value, y: y(value) })),
    bars: isStacked ? barsOf(lines, names.length, y) : [],
    lines: isStacked ? [] : lines.flatMap(({ values }, line) => pieces(values).map((points) => ({ line, points }))),
    before: pieces(data.before.slice(0, names.length)),
    forecast: ahead,
    band: [...edge(({ upper }) => upper), ...edge(({ lower }) => lower).reverse()],
    centers: names.map((_, at) => center(at)),
    zero: low < 0 && high > 0 ? y(0) : undefined,
  }
}

function barsOf(lines: readonly PlotLine[], count: number, y: (value: number) => number): Bar[] {
  const slot = 1 / Math.max(count, 1)
  const width = slot * (count > 60 ? 0.8 : 0.62)
  const bars: Bar[] = []
  for (let bucket = 0; bucket < count; bucket++) {
    let below = 0
    lines.forEach(({ values }, line) => {
      const value = values[bucket] ?? 0
      if (value === 0) return
      const [top, bottom] = [y(Math.max(below, below + value)), y(Math.min(below, below + value))]
      bars.push({ bucket, line, x: (bucket + 0.5) * slot - width / 2, width, y: top, height: bottom - top })
      below += value
    })
  }
  return bars
}

function connected(
  values: readonly (number | null | undefined)[],
  place: (value: number, at: number) => Place,
): Place[][] {
  const pieces: Place[][] = []
  let isOpen = false
  values.forEach((value, at) => {
    if (value === null || value === undefined) {
      isOpen = false
      return
    }
    if (!isOpen) pieces.push([])
    isOpen = true
    pieces.at(-1)?.push(place(value, at))
  })
  return pieces
}

/** Which places are named below the axis: the first, the last, and a few between that stand alike. */
export function namedPlaces(count: number, most: number): number[] {
  if (count <= most) return Array.from({ length: count }, (_, at) => at)
  const step = Math.ceil((count - 1) / (most - 1))
  return Array.from({ length: Math.floor((count - 1) / step) + 1 }, (_, at) => at * step)
}

/** The bucket at a place. */
export function bucketAt(x: number, count: number): number {
  return Math.min(Math.max(Math.floor(x * count), 0), count - 1)
}
