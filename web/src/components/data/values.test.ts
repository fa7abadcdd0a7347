import { expect, test } from 'vitest'
import type { Field } from '@/api/data'
import { choiceWords, draftOf, readDraft, valueWords } from './values'

const field = (changes: Partial<Field>): Field => ({
  ...{ name: 'it', queryName: 'it', label: 'It', about: '', type: 'line', max: null, currency: null, choices: null, refers: null },
  ...{ presence: 'optional', default: null, isSearched: false, isSorted: false, isFiltered: false },
  ...changes,
})
const money = field({ type: 'money', currency: 'currency' })

test.each([
  [money, { it: -1250, currency: 'EUR' }, '−€12.50'],
  [field({ type: 'day' }), { it: '2026-11-18' }, 'Nov 18, 2026'],
  [field({ type: 'flag' }), { it: true }, 'Yes'],
  [field({ type: 'choice' }), { it: 'credit_card' }, 'Credit card'],
  [field({ type: 'reference' }), { it: 'a1' }, 'Joint account'],
  [field({ type: 'member' }), { it: 'p1' }, 'Joint account'],
  [field({}), { it: null }, ''],
])('%o of a row', (of, fields, expected) => {
  expect(valueWords(of, { fields, titles: { it: 'Joint account' } })).toBe(expected)
})

test('choices that the catalog has no word for are readable', () => {
  expect(choiceWords('some_new_one')).toBe('Some new one')
})

test.each([
  [money, { it: '12,50', currency: 'eur' }, { value: 1250 }],
  [money, { it: 'much', currency: 'EUR' }, { problem: 'Enter an amount such as 12.50.' }],
  [field({ presence: 'required' }), { it: ' ' }, { problem: 'It is missing.' }],
  [field({}), { it: '' }, { value: null }],
  [field({ presence: 'default', default: 'x' }), { it: '' }, { value: 'x' }],
  [field({ type: 'number' }), { it: '3.5' }, { problem: 'Enter a whole number.' }],
  [field({ type: 'decimal' }), { it: '1,08' }, { value: '1.08' }],
  [field({ type: 'flag' }), { it: true }, { value: true }],
  [field({ type: 'currency' }), { it: 'eur' }, { value: 'EUR' }],
])('%o typed as %o', (of, draft, expected) => {
  expect(readDraft(of, draft as Record<string, string | boolean>)).toEqual(expected)
})

test('what a form shows is what it would send', () => {
  expect(draftOf(money, { it: -1250, currency: 'EUR' })).toBe('-12.50')
  expect(draftOf(field({ type: 'flag' }), {})).toBe(false)
})
