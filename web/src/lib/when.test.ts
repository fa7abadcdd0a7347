import { expect, test } from 'vitest'
import { ago, calendarDay } from './when'

const now = Date.parse('2026-11-15T12:00:00Z')

test.each([
  ['2026-11-15T11:59:30Z', 'just now'],
  ['2026-11-15T11:58:01Z', '1 min. ago'],
  ['2026-11-15T09:59:00Z', '2 hr. ago'],
  ['2026-11-14T11:00:00Z', 'yesterday'],
  ['2026-11-16T12:00:00Z', 'tomorrow'],
  ['2026-11-15T12:05:00Z', 'in 5 min.'],
])('%s is %s', (iso, text) => {
  expect(ago(iso, now)).toBe(text)
})

test('what is long past is a date', () => {
  expect(ago('2026-01-14T12:00:00Z', now)).toContain('2026')
})

test('a day is the same day everywhere', () => {
  expect(calendarDay('2026-11-01')).toBe('Nov 1')
})
