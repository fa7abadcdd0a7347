import { expect, test } from 'vitest'
import { changes } from './checks'

test('only what differs, by value, is a change; nothing is one too', () => {
  const before = { name: 'A', cap: 5 as number | null, members: [{ id: '1' }], kind: undefined as string | undefined }
  expect(changes(before, { ...before, members: [{ id: '1' }] })).toEqual({})
  expect(changes(before, { ...before, cap: null, members: [] })).toEqual({ cap: null, members: [] })
  expect(changes(before, { ...before, kind: 'router' })).toEqual({ kind: 'router' })
})
