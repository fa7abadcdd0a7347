import { expect, test } from 'vitest'
import { duration, fileSize, money } from './amounts'

test.each([
  [0, '0 ms'],
  [999.4, '999 ms'],
  [1221, '1.2 s'],
  [59_960, '1 min 0 s'],
  [184_000, '3 min 4 s'],
  [3_599_600, '1 h 0 min'],
  [7_500_000, '2 h 5 min'],
  [-5, '0 ms'],
])('%d ms is %s', (ms, text) => {
  expect(duration(ms)).toBe(text)
})

test.each([
  [null, 'Unknown'],
  [0, '$0.00'],
  [0.00001, '< $0.0001'],
  [0.00894, '$0.0089'],
  [1.5, '$1.50'],
  [1234.567, '$1,234.57'],
])('%s dollars are %s', (usd, text) => {
  expect(money(usd)).toBe(text)
})

test.each([
  [12, '12 B'],
  [20_480, '20 kB'],
  [3_400_000, '3.2 MB'],
])('%d bytes are %s', (bytes, text) => {
  expect(fileSize(bytes)).toBe(text)
})
