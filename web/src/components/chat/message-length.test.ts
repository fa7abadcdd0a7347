import { expect, test } from 'vitest'
import { excessOf } from './message-length'

test.each([
  ['a word', 'Hello', 0],
  ['as much as may be', 'x'.repeat(200_000), 0],
  ['one more', 'x'.repeat(200_001), 1],
  ['as many faces, each of which JavaScript counts twice', '😀'.repeat(200_000), 0],
  ['two faces more', '😀'.repeat(200_002), 2],
])('%s', (_, content, expected) => {
  expect(excessOf(content)).toBe(expected)
})
