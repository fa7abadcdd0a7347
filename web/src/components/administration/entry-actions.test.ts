import { expect, test } from 'vitest'
import { type EntryState, entryState } from './entry-actions'

test.each<[Parameters<typeof entryState>[0], EntryState]>([
  [{ is_enabled: true, current_version: 1, published_version: null }, 'draft'],
  [{ is_enabled: true, current_version: 2, published_version: 2 }, 'published'],
  [{ is_enabled: true, current_version: 3, published_version: 2 }, 'changed'],
  [{ is_enabled: true, current_version: 3, published_version: 4 }, 'published'],
  [{ is_enabled: false, current_version: 3, published_version: 2 }, 'disabled'],
])('%o is %s', (entry, state) => {
  expect(entryState(entry)).toBe(state)
})
