import { afterEach, expect, test, vi } from 'vitest'
import { fullDay } from './days'
import { locale } from './locale'
import { ago } from './when'

afterEach(() => {
  vi.restoreAllMocks()
})

test.each([
  [['en-GB', 'de-DE'], 'en-GB'],
  [['de-DE', 'en-AU'], 'en-AU'],
  [['de-DE'], 'en'],
])('a reader of %s is told dates in %s', (languages, told) => {
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(languages)
  expect(locale()).toBe(told)
})

test('no other language stands within English texts', () => {
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['de-DE'])
  expect(fullDay('2026-10-15')).toBe('Oct 15, 2026')
  expect(ago('2026-10-15T10:00:00Z', Date.parse('2026-10-15T10:05:30Z'))).toBe('5 min. ago')
})
