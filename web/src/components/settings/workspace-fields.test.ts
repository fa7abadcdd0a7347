import { expect, test } from 'vitest'
import { dollars } from './workspace-fields'

test.each([
  ['', null],
  ['  ', null],
  ['5', 5],
  ['$ 2.50', 2.5],
  ['0', 0],
  ['-1', undefined],
  ['ten', undefined],
  ['1,000', undefined],
  ['Infinity', undefined],
])('%o is %o dollars', (text, sum) => {
  expect(dollars(text)).toBe(sum)
})
