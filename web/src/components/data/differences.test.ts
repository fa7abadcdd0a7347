import { expect, test } from 'vitest'
import type { DataChange, Field, Kind } from '@/api/data'
import { differences, titlesIn } from './differences'

const field = (name: string, changes: Partial<Field> = {}): Field => ({
  ...{ name, queryName: name, label: name.toUpperCase(), about: '', type: 'line', max: null, currency: null, choices: null, refers: null },
  ...{ presence: 'optional', default: null, isSearched: false, isSorted: false, isFiltered: false },
  ...changes,
})
const kind: Kind = {
  ...{ name: 'transactions', one: 'transaction', label: 'Transactions', area: 'money', access: 'write', title: 'payee' },
  order: { field: 'payee', direction: 'rising' },
  fields: [field('payee'), field('amount', { type: 'money', currency: 'currency' }), field('category_id', { type: 'reference', refers: 'categories' }), field('transfer_id', { type: 'id' })],
}
const choices = { categories: [{ id: 'c1', name: 'Groceries' }] }
const change = (changes: Partial<DataChange>): DataChange => ({
  ...{ id: 'x', kind: 'transactions', row_id: 'r1', action: 'changed', before: null, after: null, profile_id: 'p', agent_id: null },
  ...{ conversation_id: null, seq: null, approved_by: null, undoes: null, is_undone: false, created_at: '2026-01-01T00:00:00Z' },
  ...changes,
})

test('old and new by the names that people know', () => {
  const told = differences(kind, change({ before: { category_id: null, transfer_id: 'a' }, after: { category_id: 'c1', transfer_id: null } }), choices)
  expect(told).toEqual([{ label: 'CATEGORY_ID', old: '', next: 'Groceries' }])
})

test('a category that is gone is said to be', () => {
  expect(differences(kind, change({ before: { category_id: 'c9' }, after: { category_id: 'c1' } }), choices)[0]?.old).toBe('Gone')
})

test('what is new or gone is told by its name alone', () => {
  const made = change({ action: 'created', after: { payee: 'Shop' } })
  expect(differences(kind, made, choices)).toEqual([])
  expect(titlesIn([kind], [change({ after: { payee: 'New name' }, before: { payee: 'Shop' } }), made]).get('r1')).toBe('New name')
  expect(titlesIn([kind], [change({ after: { category_id: 'c1' } })]).size).toBe(0)
})
