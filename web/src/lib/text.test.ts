import { expect, test } from 'vitest'
import { sentenceCase } from './text'

test.each([
  ['needs_analysis', 'Needs analysis'],
  ['follow-up', 'Follow up'],
  ['', ''],
])('%s is %s', (name, words) => {
  expect(sentenceCase(name)).toBe(words)
})
