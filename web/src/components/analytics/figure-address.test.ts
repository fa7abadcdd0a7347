import { expect, test } from 'vitest'
import { addressOf, chosenIn, daysOf } from './figure-address'

test.each([
  '/analytics/income?by=month',
  '/analytics/income?by=week&period=last_90_days&currency=EUR&forecast=yes&open=2026-03-02',
  '/analytics/income?by=day&from=2026-01-05&to=2026-02-07',
])('%s is read as it was written', (address) => {
  expect(addressOf('income', chosenIn(address.slice(address.indexOf('?'))))).toBe(address)
})

test('nonsense in the address is left out', () => {
  const chosen = chosenIn('?by=hour&period=ever&from=yesterday&to=2026-01-01&open=1')
  expect(chosen).toEqual({ by: 'month', period: 'usual', from: undefined, to: '2026-01-01', currency: null, forecast: false, open: undefined })
})

test('periods end today', () => {
  const days = (period: Parameters<typeof daysOf>[0]['period']) => daysOf({ period, from: undefined, to: undefined }, '2026-01-18')
  expect(days('usual')).toEqual({})
  expect(days('last_30_days')).toEqual({ from: '2025-12-20', to: '2026-01-18' })
  expect(days('last_12_months')).toEqual({ from: '2025-02-01', to: '2026-01-18' })
  expect(days('this_year')).toEqual({ from: '2026-01-01', to: '2026-01-18' })
})
