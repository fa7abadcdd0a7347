import { expect, test } from 'vitest'
import type { DataRow, Field, Kind } from '@/api/data'
import { mergePreview } from './merge-preview'

const field = (name: string, more: Partial<Field> = {}) => ({ name, label: name, type: 'line', presence: 'optional', ...more }) as Field
const kind = { name: 'contacts', title: 'name', fields: [field('name'), field('email'), field('phone'), field('merged_into', { type: 'id', presence: 'derived' })] } as unknown as Kind
const row = (fields: Record<string, unknown>): DataRow => ({ id: String(fields.name), version: 1, fields, titles: {} })

test('what the one that stays has is kept, and what it has not is filled in', () => {
  const kept = row({ name: 'Ada', email: null, phone: '1' })
  const gone = row({ name: 'Ada L.', email: 'ada@example.org', phone: '2', merged_into: 'x' })
  const { stays, lost } = mergePreview(kind, kept, gone)
  expect(stays.map(({ field: { name }, row: { id }, isFilled }) => [name, id, isFilled])).toEqual([
    ['name', 'Ada', false],
    ['email', 'Ada L.', true],
    ['phone', 'Ada', false],
  ])
  expect(lost.map(({ name }) => name)).toEqual(['name', 'phone'])
})

test('what is the same in both is not lost', () => {
  const same = row({ name: 'Ada', phone: '1' })
  expect(mergePreview(kind, same, { ...same, id: 'other' }).lost).toEqual([])
})
