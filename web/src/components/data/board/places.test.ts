import { describe, expect, test } from 'vitest'
import { indexOf, type Placed, placeAt, STEP } from './places'

const column = (...positions: number[]): Placed[] => positions.map((position, at) => ({ id: `c${at}`, position }))

/** The column as it is afterwards: the moved card is `new`. */
function after(before: readonly Placed[], index: number): Placed[] {
  const { position, others } = placeAt(before, index)
  const changed = new Map(others.map((card) => [card.id, card.position]))
  const cards = before.map((card) => ({ ...card, position: changed.get(card.id) ?? card.position }))
  return [...cards, { id: 'new', position }].sort((a, b) => a.position - b.position)
}

test.each([
  ['an empty column', [], 0, 0],
  ['the top', [0], 0, -STEP],
  ['the end', [0, 10], 2, 10 + STEP],
  ['between two', [0, 10], 1, 5],
  ['between two that are next to each other but one', [3, 5], 1, 4],
  ['between negative ones', [-11, -4], 1, -8],
])('in %s one row is written', (_, positions, index, position) => {
  expect(placeAt(column(...positions), index)).toEqual({ position, others: [] })
})

describe('where no number is left', () => {
  test.each([
    ['two next to each other', [0, 1], 1],
    ['all the same', [0, 0, 0, 0, 0], 2],
    ['the same at the top', [0, 0, 0], 1],
    ['a crowd between far ones', [0, 1000, 1001, 1002, 1003, 5000], 3],
    ['a crowd in the middle of many', [...Array.from({ length: 40 }, (_, at) => at * STEP), ...Array.from({ length: 9 }, (_, at) => 40 * STEP + at), 90 * STEP], 44],
  ])('%s: the neighbours make room', (_, positions, index) => {
    const before = column(...positions)
    const cards = after(before, index)
    expect(cards.map(({ id }) => id)).toEqual([...before.slice(0, index).map(({ id }) => id), 'new', ...before.slice(index).map(({ id }) => id)])
    expect(new Set(cards.map(({ position }) => position)).size).toBe(cards.length)
  })

  test('no more of them than need be', () => {
    const crowd = column(0, 1000, 1001, 5000)
    expect(placeAt(crowd, 2).others.map(({ id }) => id)).toEqual(['c1', 'c2'])
  })
})

test('halving goes on for thirty-two moves to the same place before one more row is written', () => {
  let cards = column(0, STEP)
  for (let move = 0; move < 32; move++) {
    const { position, others } = placeAt(cards, 1)
    expect(others).toEqual([])
    cards = [{ id: 'top', position: 0 }, { id: `m${move}`, position }]
  }
  expect(placeAt(cards, 1).others.length).toBeGreaterThan(0)
})

test.each([
  [[], 5, 0],
  [[1, 3, 5], 3, 2],
  [[1, 3, 5], 0, 0],
  [[1, 3, 5], 9, 3],
])('in %j a card numbered %d is at %d', (positions, position, index) => {
  expect(indexOf(column(...positions), position)).toBe(index)
})
