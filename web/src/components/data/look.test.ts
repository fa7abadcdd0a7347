import { expect, test } from 'vitest'
import type { Field, Kind } from '@/api/data'
import { readLook, writeLook } from './look'

const field = (name: string, queryName: string, type: Field['type'], isSorted = false) => ({ name, queryName, type, isSorted, isFiltered: true }) as Field
const kind = {
  name: 'deals',
  order: { field: 'due_on', direction: 'falling' },
  fields: [field('owner_id', 'ownerId', 'member'), field('due_on', 'dueOn', 'day', true), field('amount', 'amount', 'money', true)],
} as unknown as Kind
const usual = { search: '', filters: {}, sort: { field: 'due_on', direction: 'falling' } } as const

test.each([
  ['', usual],
  ['search=desk', { ...usual, search: 'desk' }],
  ['ownerId=none&dueOnFrom=2026-01-01&dueOnTo=2026-02-01', { ...usual, filters: { ownerId: 'none', dueOnFrom: '2026-01-01', dueOnTo: '2026-02-01' } }],
  ['sort=amount', { ...usual, sort: { field: 'amount', direction: 'rising' } }],
  ['sort=-amount', { ...usual, sort: { field: 'amount', direction: 'falling' } }],
] as const)('%s is a look, and is written the same', (query, look) => {
  expect(readLook(kind, query)).toEqual(look)
  expect(writeLook(kind, look)).toBe(query)
})

test.each(['stage=won&color=red', 'sort=owner', 'ownerId=', 'amountFrom=3'])('%s says nothing that the kind knows', (query) => {
  expect(readLook(kind, query)).toEqual(usual)
})
