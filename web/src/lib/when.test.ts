import { expect, test } from 'vitest'
import { ago, calendarDay, clockTime, dayWords } from './when'

const now = Date.parse('2026-11-15T12:00:00Z')

test.each([
  ['2026-11-15T11:59:30Z', 'just now'],
  ['2026-11-15T11:58:01Z', '1 min. ago'],
  ['2026-11-15T09:59:00Z', '2 hr. ago'],
  ['2026-11-14T11:00:00Z', 'yesterday'],
  ['2026-11-16T12:00:00Z', 'tomorrow'],
  ['2026-11-15T12:05:00Z', 'in 5 min.'],
  // Past: only what is over counts.
  ['2026-11-15T11:00:01Z', '59 min. ago'],
  ['2026-11-14T12:00:01Z', '23 hr. ago'],
  ['2026-11-08T12:00:01Z', '6 days ago'],
  // Left: to the nearest, also right after it began.
  ['2026-11-15T12:04:59Z', 'in 5 min.'],
  ['2026-11-15T12:59:58Z', 'in 1 hr.'],
  ['2026-11-15T13:59:58Z', 'in 2 hr.'],
  ['2026-11-15T14:20:00Z', 'in 2 hr.'],
  ['2026-11-16T11:40:00Z', 'in 24 hr.'],
  ['2026-11-16T11:59:58Z', 'tomorrow'],
  ['2026-11-22T11:59:58Z', 'in 7 days'],
  ['2026-11-21T16:00:00Z', 'in 6 days'],
  ['2026-11-15T12:00:20Z', 'just now'],
])('%s is %s', (iso, text) => {
  expect(ago(iso, now)).toBe(text)
})

test('what is long past is a date', () => {
  expect(ago('2026-01-14T12:00:00Z', now)).toContain('2026')
})

test('a day is the same day everywhere', () => {
  expect(calendarDay('2026-11-01')).toBe('Nov 1')
})

test.each([
  // The afternoon of a Sunday: days are counted by the calendar.
  [new Date(2026, 10, 15, 0, 5), 'today'],
  [new Date(2026, 10, 14, 23, 59), 'yesterday'],
  [new Date(2026, 10, 13, 15), 'Friday, Nov 13'],
  [new Date(2025, 11, 31, 15), 'Wednesday, Dec 31, 2025'],
])('the day of %s is called %s', (date, expected) => {
  expect(dayWords(date, new Date(2026, 10, 15, 15))).toBe(expected)
})

test('a time of day is short', () => {
  expect(clockTime(new Date(2026, 10, 15, 9, 7, 30))).toMatch(/^9:07\sAM$/)
})
