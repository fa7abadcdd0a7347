// Where the line of a chart runs: pure, so that it can be looked at without a browser.

export interface Point {
  /** `2026-11-30`. */
  day: string
  value: number
}

export interface ChartLine {
  /** From 0 to `width` and from 0 (top) to `height`. */
  places: readonly { x: number; y: number }[]
  /** Values of the axis with where they stand, from low to high. */
  ticks: readonly { value: number; y: number }[]
}

/** A line through points that stand as far apart as their days do, between round values. */
export function lineOf(points: readonly Point[], width: number, height: number): ChartLine {
  const values = points.map(({ value }) => value)
  const axis = roundAxis(Math.min(...values), Math.max(...values))
  const low = axis[0] ?? 0
  const high = axis.at(-1) ?? 1
  const y = (value: number) => height - ((value - low) / (high - low)) * height
  const days = points.map(({ day }) => Date.parse(`${day}T00:00:00Z`))
  const begin = days[0] ?? 0
  const length = (days.at(-1) ?? begin) - begin
  const places = points.map(({ value }, index) => ({
    x: length === 0 ? width / 2 : (((days[index] ?? begin) - begin) / length) * width,
    y: y(value),
  }))
  return { places, ticks: axis.map((value) => ({ value, y: y(value) })) }
}

/** Three to six round values that hold both ends, no nearer to each other than `leastStep`. */
export function roundAxis(lowest: number, highest: number, leastStep = 0): number[] {
  // A flat line is drawn with room around it.
  const spread = highest - lowest || Math.abs(highest) || 100
  const rough = Math.max(spread / 4, leastStep)
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? 10 * power
  const first = Math.floor(lowest / step)
  const last = Math.max(first + 1, Math.ceil(highest / step))
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step)
}

/** The point nearest to a place. */
export function nearest(places: readonly { x: number }[], x: number): number {
  return places.reduce((best, place, index) => (Math.abs(place.x - x) < Math.abs((places[best]?.x ?? 0) - x) ? index : best), 0)
}

/** The line as SVG draws it: pairs that follow a place to begin at are lines. */
export function pathOf(places: ChartLine['places']): string {
  return `M${places.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')}`
}
