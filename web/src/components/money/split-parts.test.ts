import { expect, test } from 'vitest'
import { leftOf, newPart, partsOf } from './split-parts'

test('a split begins with all of it and an empty part', () => {
  const parts = partsOf([], { amount: -5000, currency: 'EUR', categoryId: 'c1' })
  expect(parts.map(({ amount, categoryId }) => [amount, categoryId])).toEqual([['-50.00', 'c1'], ['', '']])
  expect(leftOf(parts, -5000, 'EUR')).toBe(0)
})

test.each([
  [['-30', '-20'], 0],
  [['-30', '-10'], -1000],
  [['-30', '-30'], 1000],
  [['-30', 'x'], undefined],
])('parts %s of -50 leave %s', (amounts, left) => {
  expect(leftOf(amounts.map((amount) => newPart({ amount })), -5000, 'EUR')).toBe(left)
})
