import { expect, test } from 'vitest'
import { boxHeight, scrollTo, sightAt } from './window'

const box = { total: 100_000, rowHeight: 40, height: 400 }

test.each([
  [0, 0, 18],
  [4_000, 92, 118],
  [4_000_000 - 400, 99_982, 99_999],
])('at %d the rows %d to %d are drawn', (scrollTop, first, last) => {
  const sight = sightAt(scrollTop, box)
  expect([sight.first, sight.last, sight.top]).toEqual([first, last, first * 40])
})

test('an empty list has no rows', () => {
  expect(sightAt(0, { ...box, total: 0 })).toEqual({ first: 0, last: -1, top: 0 })
})

test('a very long list is in a box that browsers can draw, and all of it can be reached', () => {
  const long = { ...box, total: 2_000_000 }
  expect(boxHeight(long)).toBe(15_000_000)
  expect(sightAt(15_000_000 - 400, long).last).toBe(1_999_999)
  for (const index of [0, 777_777, 1_999_999]) {
    const scrollTop = scrollTo(index, 5_000_000, long)
    const sight = sightAt(scrollTop, long)
    const top = sight.top + (index - sight.first) * 40 - scrollTop
    expect(top).toBeGreaterThanOrEqual(-0.01)
    expect(top).toBeLessThanOrEqual(360.01)
  }
})

test.each([
  [5, 0, 0],
  [12, 0, 120],
  [2, 400, 80],
])('row %d from %d: %d', (index, from, to) => {
  expect(scrollTo(index, from, box)).toBe(to)
})
