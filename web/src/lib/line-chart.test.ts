import { expect, test } from 'vitest'
import { lineOf, nearest, roundAxis } from './line-chart'

test.each([
  [0, 100, [0, 50, 100]],
  [130, 870, [0, 200, 400, 600, 800, 1000]],
  [-300, 500, [-400, -200, 0, 200, 400, 600]],
  [1000, 1000, [1000, 1500]],
  [0, 0, [0, 50]],
])('an axis from %d to %d', (low, high, expected) => {
  expect(roundAxis(low, high)).toEqual(expected)
})

test('an axis holds both ends, has few values, and its steps are alike', () => {
  for (let at = 1; at < 2_000; at++) {
    const [low, high] = [-at * 37, at * at * 13]
    const axis = roundAxis(low, high)
    expect(axis[0]).toBeLessThanOrEqual(low)
    expect(axis.at(-1)).toBeGreaterThanOrEqual(high)
    expect(axis.length).toBeLessThanOrEqual(7)
  }
})

test('points stand as far apart as their days', () => {
  const points = [
    { day: '2026-01-31', value: 0 },
    { day: '2026-02-28', value: 100 },
    { day: '2026-03-31', value: 50 },
  ]
  const { places } = lineOf(points, 590, 100)
  expect(places.map(({ x }) => Math.round(x))).toEqual([0, 280, 590])
  expect(places.map(({ y }) => y)).toEqual([100, 0, 50])
  expect(nearest(places, 300)).toBe(1)
})

test('one point stands in the middle', () => {
  expect(lineOf([{ day: '2026-01-31', value: 5 }], 600, 100).places.map(({ x }) => x)).toEqual([300])
})
