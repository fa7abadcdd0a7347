// Days without a time of day, such as `2026-11-15`: the same day for every reader.
import { locale } from './locale'

/** `Nov 15, 2026`, for a day without a time of day. */
export function fullDay(date: string): string {
  return new Date(`${date}T00:00:00Z`).toLocaleDateString(locale(), { dateStyle: 'medium', timeZone: 'UTC' })
}

/** `Nov 2026`, for a day of that month. */
export function monthDay(date: string): string {
  return new Date(`${date}T00:00:00Z`).toLocaleDateString(locale(), { month: 'short', year: 'numeric', timeZone: 'UTC' })
}

/** The day that it is here, as `2026-11-15`. */
export function today(now = new Date()): string {
  const two = (part: number) => String(part).padStart(2, '0')
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
}
