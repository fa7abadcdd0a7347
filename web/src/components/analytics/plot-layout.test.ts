import { expect, test } from 'vitest'
import { bucketAt, layoutOf, namedPlaces, type PlotData } from './plot-layout'

const data = (part: Partial<PlotData>): PlotData => ({ names: ['a', 'b', 'c', 'd'], lines: [], before: [], forecast: [], shape: 'bars', ...part })

test('bars stand on nothing, on each other, and within the axis', () => {
  const lines = [
    { key: 'x', label: 'X', values: [1, 0, null, 4] },
    { key: 'y', label: 'Y', values: [2, 5, null, 4] },
  ]
  const { bars, ticks, lines: drawn } = layoutOf(data({ lines }), 1)
  expect(drawn).toEqual([])
  expect(bars.map(({ bucket, line }) => [bucket, line])).toEqual([[0, 0], [0, 1], [1, 1], [3, 0], [3, 1]])
  const [first, second] = bars
  expect(first && first.y + first.height).toBeCloseTo(1)
  expect(second && first && second.y + second.height).toBeCloseTo(first?.y ?? 0)
  expect(ticks.map(({ value }) => value)).toEqual([0, 2, 4, 6, 8])
  for (const { y, height, x, width } of bars) {
    expect(y).toBeGreaterThanOrEqual(0)
    expect(y + height).toBeLessThanOrEqual(1.000001)
    expect(x).toBeGreaterThan(0)
    expect(x + width).toBeLessThan(1)
  }
})

test('what is less than nothing hangs below it', () => {
  const { bars, zero } = layoutOf(data({ lines: [{ key: '', label: '', values: [10, -10, 0, 5] }] }), 0)
  expect(zero).toBeCloseTo(0.5)
  expect(bars[1]?.y).toBeCloseTo(0.5)
})

test('a value that is missing interrupts a line', () => {
  const { lines } = layoutOf(data({ shape: 'line', lines: [{ key: '', label: '', values: [10, 20, null, 30] }] }), 0)
  expect(lines.map(({ points }) => points.length)).toEqual([2, 1])
})

test('a forecast has room for its interval', () => {
  const forecast = [null, null, { value: 10, lower: -5, upper: 90 }, { value: 12, lower: -20, upper: 120 }]
  const { band, forecast: line, ticks } = layoutOf(data({ forecast, lines: [{ key: '', label: '', values: [1, 2, null, null] }] }), 0)
  expect([line.length, band.length]).toEqual([2, 4])
  expect(ticks[0]?.value).toBeLessThanOrEqual(-20)
  expect(ticks.at(-1)?.value).toBeGreaterThanOrEqual(120)
})

test('numbers of things have no halves on the axis', () => {
  const { ticks } = layoutOf(data({ lines: [{ key: '', label: '', values: [1, 0, 0, 0] }] }), 1)
  expect(ticks.every(({ value }) => Number.isInteger(value))).toBe(true)
})

test('names stand alike and begin with the first', () => {
  expect(namedPlaces(3, 6)).toEqual([0, 1, 2])
  expect(namedPlaces(30, 6)).toEqual([0, 6, 12, 18, 24])
  expect([bucketAt(-1, 4), bucketAt(0.5, 4), bucketAt(2, 4)]).toEqual([0, 2, 3])
})
