import { expect, test } from 'vitest'
import { diffLines } from './diff'

const short = (before: string, after: string) =>
  diffLines(before, after)
    .map(({ kind, text }) => ({ same: ' ', added: '+', removed: '-' })[kind] + text)
    .join('|')

test.each([
  ['a\nb\nc', 'a\nb\nc', ' a| b| c'],
  ['a\nb\nc', 'a\nx\nc', ' a|-b|+x| c'],
  ['', 'a\n\nb', '+a|+|+b'],
  ['a', '', '-a'],
  ['a\nb', 'b', '-a| b'],
  ['a', 'a\nb', ' a|+b'],
  ['a\nb\nc\nd', 'b\nx\nd', '-a| b|-c|+x| d'],
])('%j to %j', (before, after, expected) => {
  expect(short(before, after)).toBe(expected)
})

test('taking the changes away, or the removed lines, gives the two texts', () => {
  const before = Array.from({ length: 200 }, (_, at) => `line ${(at * 7) % 31}`).join('\n')
  const after = Array.from({ length: 180 }, (_, at) => `line ${(at * 5) % 29}`).join('\n')
  const lines = diffLines(before, after)
  const without = (kind: string) => lines.filter((line) => line.kind !== kind).map(({ text }) => text).join('\n')
  expect(without('added')).toBe(before)
  expect(without('removed')).toBe(after)
})
