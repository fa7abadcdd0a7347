import { expect, test } from 'vitest'
import { move } from './keys'

const size = { rows: 100, columns: 5, page: 10 }

test.each([
  ['ArrowDown', false, [50, 2], [51, 2]],
  ['ArrowUp', false, [0, 2], [0, 2]],
  ['ArrowRight', false, [50, 4], [50, 4]],
  ['ArrowLeft', false, [50, 2], [50, 1]],
  ['ArrowDown', true, [50, 2], [99, 2]],
  ['PageDown', false, [95, 2], [99, 2]],
  ['PageUp', false, [50, 2], [40, 2]],
  ['Home', false, [50, 2], [50, 0]],
  ['End', false, [50, 2], [50, 4]],
  ['Home', true, [50, 2], [0, 0]],
  ['End', true, [50, 2], [99, 4]],
  ['a', false, [50, 2], undefined],
])('%s (with Ctrl: %s) from %s: %s', (key, ctrlKey, [row = 0, column = 0], expected) => {
  const next = move({ row, column }, { key, ctrlKey, metaKey: false }, size)
  expect(next && [next.row, next.column]).toEqual(expected)
})
