import { expect, test } from 'vitest'
import { type ColumnBox, edgeSpeed, spotUnder, stepTo } from './steps'

const box = (key: string, at: number, more: Partial<ColumnBox> = {}): ColumnBox => ({ key, left: at, right: at + 200, top: 100, bottom: 600, scrollTop: 0, count: 4, ...more })
const boxes = [box('lead', 0), box('won', 210, { scrollTop: 1_000, count: 40 }), box('lost', 420, { count: 0 })]

test.each([
  ['at the top of the first', { x: 50, top: 100 }, 'lead', 0],
  ['above it', { x: 50, top: -500 }, 'lead', 0],
  ['less than half over the first card', { x: 50, top: 149 }, 'lead', 0],
  ['more than half over it', { x: 50, top: 151 }, 'lead', 1],
  ['below the last card', { x: 50, top: 590 }, 'lead', 4],
  ['in a column that is scrolled', { x: 300, top: 210 }, 'won', 11],
  ['above what one sees of it', { x: 300, top: -900 }, 'won', 10],
  ['below what one sees of it', { x: 300, top: 9_000 }, 'won', 15],
  ['in an empty one', { x: 500, top: 400 }, 'lost', 0],
  ['between two: the nearer', { x: 208, top: 100 }, 'won', 10],
  ['right of the last', { x: 2_000, top: 100 }, 'lost', 0],
])('a card that is held %s', (_, held, column, index) => {
  expect(spotUnder(held, boxes, 100)).toEqual({ column, index })
})

test('a board without columns has no place', () => {
  expect(spotUnder({ x: 0, top: 0 }, [], 100)).toBeUndefined()
})

test.each([
  [300, 0],
  [100, -18],
  [0, -18],
  [128, -9],
  [572, 9],
  [900, 18],
])('at %d a list from 100 to 600 scrolls by %d', (place, speed) => {
  expect(edgeSpeed(place, 100, 600)).toBe(speed)
})

const sizes = [{ key: 'lead', count: 3 }, { key: 'won', count: 0 }, { key: 'lost', count: 1 }]

test.each([
  // column, index, key, the focus, a held card
  ['lead', 0, 'ArrowDown', 'lead 1', 'lead 1'],
  ['lead', 2, 'ArrowDown', 'lead 2', 'lead 3'],
  ['lead', 0, 'ArrowUp', 'lead 0', 'lead 0'],
  ['lead', 0, 'End', 'lead 2', 'lead 3'],
  ['lead', 2, 'Home', 'lead 0', 'lead 0'],
  ['lead', 2, 'ArrowRight', 'lost 0', 'won 0'],
  ['lost', 0, 'ArrowLeft', 'lead 0', 'won 0'],
  ['lost', 0, 'ArrowRight', undefined, undefined],
  ['lead', 0, 'ArrowLeft', undefined, undefined],
  ['lead', 0, 'x', undefined, undefined],
  ['none', 0, 'ArrowDown', undefined, undefined],
])('from %s %d %s leads the focus to %s, a held card to %s', (column, index, key, focus, held) => {
  const told = (isHeld: boolean) => {
    const spot = stepTo({ column, index }, key, sizes, isHeld)
    return spot && `${spot.column} ${spot.index}`
  }
  expect([told(false), told(true)]).toEqual([focus, held])
})
