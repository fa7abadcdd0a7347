import { words } from '@/words/en/common'
import { locale } from './locale'

// Points in time as people say them.

const relative = () => new Intl.RelativeTimeFormat(locale(), { numeric: 'auto', style: 'short' })

const MINUTE = 60_000

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', MINUTE],
]

/**
 * `2 hr. ago`, `in 3 days`; a date beyond a month. What is past counts whole units; what is left is rounded, so that
 * a week of which a second is over is still a week.
 */
export function ago(iso: string, now = Date.now()): string {
  const exact = new Date(iso).getTime() - now
  // To the minute first: an hour but for a second is an hour, not 60 minutes.
  const [whole, difference] = exact > 0 ? [Math.round, Math.round(exact / MINUTE) * MINUTE] : [Math.trunc, exact]
  if (Math.abs(difference) > 30 * 86_400_000) return new Date(iso).toLocaleDateString(locale(), { dateStyle: 'medium' })
  for (const [unit, size] of UNITS) {
    if (Math.abs(difference) >= size) return relative().format(whole(difference / size), unit)
  }
  return words.justNow
}

/** `Jan 14, 2026, 9:00 AM`. */
export function dateAndTime(iso: string): string {
  return new Date(iso).toLocaleString(locale(), { dateStyle: 'medium', timeStyle: 'short' })
}

/** `9:00 AM`. */
export function clockTime(date: Date): string {
  return date.toLocaleTimeString(locale(), { timeStyle: 'short' })
}

/** `today`, `yesterday`, `Monday, Nov 16`; with the year if it is another. */
export function dayWords(date: Date, now = new Date()): string {
  // Days are as long as people live them: by the calendar, not by 24 hours.
  const days = Math.round((startOfDay(date) - startOfDay(now)) / 86_400_000)
  if (days === 0 || days === -1) return relative().format(days, 'day')
  const year = date.getFullYear() === now.getFullYear() ? undefined : 'numeric'
  return date.toLocaleDateString(locale(), { weekday: 'long', month: 'short', day: 'numeric', year })
}

export function startOfDay(date: Date): number {
  return new Date(date).setHours(0, 0, 0, 0)
}

/** `9:00:07 AM`. */
export function timeOfDay(iso: string): string {
  return new Date(iso).toLocaleTimeString(locale(), { timeStyle: 'medium' })
}

/** A day without a time of day, such as `2026-11-15`: the same day for every reader. */
export function calendarDay(date: string): string {
  return new Date(`${date}T00:00:00Z`).toLocaleDateString(locale(), { month: 'short', day: 'numeric', timeZone: 'UTC' })
}
