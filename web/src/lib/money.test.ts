import { expect, test } from 'vitest'
import { decimalOf, exponentOf, formatMoney, parseMoney, shortMoney } from './money'

test.each([
  [123450, 'EUR', '€1,234.50'],
  [-5, 'EUR', '−€0.05'],
  [1250, 'JPY', '¥1,250'],
  [1250, 'KWD', 'KWD 1.250'],
  // Browsers would write it without decimals.
  [1250, 'RSD', 'RSD 12.50'],
  [100, 'not one', '1.00'],
])('%d of %s is %s', (minor, currency, text) => {
  expect(formatMoney(minor, currency).replaceAll(/\s/g, ' ')).toBe(text)
})

test('short amounts have no cents', () => {
  expect([shortMoney(1234500, 'EUR'), shortMoney(-90000, 'EUR')]).toEqual(['€12.3K', '−€900'])
})

test.each([
  ['EUR', 2],
  ['ISK', 0],
  ['OMR', 3],
  ['CLF', 4],
])('%s has %d decimals', (currency, exponent) => {
  expect(exponentOf(currency)).toBe(exponent)
})

test.each([
  ['12.50', 'EUR', 1250],
  ['12,5', 'EUR', 1250],
  ['-1,234.50', 'EUR', -123450],
  ['−1.234,50', 'EUR', -123450],
  ['1.234', 'EUR', 123400],
  ['1 234', 'EUR', 123400],
  ['1.234.567', 'EUR', 123456700],
  ['.5', 'EUR', 50],
  ['1,250', 'JPY', 1250],
  ['12.5', 'JPY', undefined],
  ['1.250', 'KWD', 1250],
  ['1,250', 'KWD', 1250000],
  ['12.345,6', 'EUR', 1234560],
  ['1,23,4', 'EUR', undefined],
  ['0', 'EUR', 0],
  ['-0', 'EUR', 0],
  ['twelve', 'EUR', undefined],
  ['', 'EUR', undefined],
  ['.', 'EUR', undefined],
  ['99999999999999999', 'EUR', undefined],
])('%j typed as %s is %s', (text, currency, minor) => {
  expect(parseMoney(text, currency)).toBe(minor)
})

test.each([
  [-5, 'EUR'],
  [123450, 'EUR'],
  [1250, 'JPY'],
  [7, 'CLF'],
])('%d of %s is typed as it is shown in a field', (minor, currency) => {
  expect(parseMoney(decimalOf(minor, currency), currency)).toBe(minor)
})
