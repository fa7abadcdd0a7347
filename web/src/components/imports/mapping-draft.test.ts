import { expect, test } from 'vitest'
import type { Mapping } from '@/hooks/use-imports'
import { draftOfMapping, isAnswered, mappingOf } from './mapping-draft'

const FIELDS = ['booked_on', 'amount', 'payee']

test.each<Mapping>([
  { columns: { booked_on: { column: 'Date' }, amount: { column: 'Amount' }, payee: null }, sign: 'as_written' },
  { columns: { booked_on: { column: 'Date' }, amount: { debit: 'Out', credit: 'In' }, payee: { column: 'Who' } }, date_order: 'day_month_year', sign: 'reversed' },
  { columns: { booked_on: null, amount: { amount: 'Sum', direction: 'D/C' }, payee: null }, decimal_sign: 'comma', currency: 'EUR', sign: 'as_written' },
])('%o comes back as it was', (mapping) => {
  expect(mappingOf(draftOfMapping(mapping, null), FIELDS)).toEqual(mapping)
})

test('half an amount is none', () => {
  const draft = { ...draftOfMapping(null, null), amountMode: 'sides' as const, debit: 'Out' }
  expect(mappingOf(draft, ['amount']).columns).toEqual({ amount: null })
  expect(isAnswered({ about: 'column', field: 'amount', text: '', samples: [] }, draft)).toBe(false)
  expect(isAnswered({ about: 'column', field: 'amount', text: '', samples: [] }, { ...draft, credit: 'In' })).toBe(true)
})

test.each([
  ['date_order', { dateOrder: 'day_month_year' }],
  ['decimal_sign', { decimalSign: 'comma' }],
  ['currency', { currency: 'EUR' }],
  ['account', { account: 'a1' }],
])('a question about %s', (about, answer) => {
  const draft = draftOfMapping(null, null)
  expect(isAnswered({ about, text: '', samples: [] }, draft)).toBe(false)
  expect(isAnswered({ about, text: '', samples: [] }, { ...draft, ...answer })).toBe(true)
})
