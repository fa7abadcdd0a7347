import { expect, test } from 'vitest'
import { ago, cost, duration, fileSize, sentenceCase } from './format'

test.each([
  [4, '4 ms'],
  [1_240, '1.2 s'],
  [42_000, '42 s'],
  [125_000, '2 min 5 s'],
])('%d ms took %s', (value, expected) => {
  expect(duration(value)).toBe(expected)
})

test.each([
  [null, 'not known'],
  [0, '$0'],
  [0.00002, 'less than $0.0001'],
  [0.0123, '$0.0123'],
  [3.456, '$3.46'],
])('%j costs %s', (value, expected) => {
  expect(cost(value)).toBe(expected)
})

test.each([
  [20, 'just now'],
  [130, '2 minutes ago'],
  [7_300, '2 hours ago'],
  [90_000, 'yesterday'],
  [800_000, 'last week'],
])('%d seconds back is %s', (seconds, expected) => {
  const now = new Date('2026-03-10T12:00:00Z')
  expect(ago(new Date(now.getTime() - seconds * 1_000), now)).toBe(expected)
})

test('sizes and names', () => {
  expect([fileSize(12), fileSize(20_480), fileSize(3_400_000)]).toEqual(['12 B', '20 kB', '3.2 MB'])
  expect(sentenceCase('needs_analysis')).toBe('Needs analysis')
})
