// Numbers and times as a chat shows them.

export function duration(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`
  const seconds = milliseconds / 1_000
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  if (seconds < 60) return `${Math.round(seconds)} s`
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`
}

/** A cost as people read it: never 0 for something that did cost. */
export function cost(usd: number | null): string {
  if (usd === null) return 'not known'
  if (usd === 0) return '$0'
  if (usd < 0.0001) return 'less than $0.0001'
  return `$${usd.toFixed(usd < 1 ? 4 : 2)}`
}

export function fileSize(bytes: number): string {
  if (bytes < 1_024) return `${bytes} B`
  if (bytes < 1_048_576) return `${Math.round(bytes / 1_024)} kB`
  return `${(bytes / 1_048_576).toFixed(1)} MB`
}

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/** `3 hours ago`, `yesterday`, `just now`. */
export function ago(date: Date, now = new Date()): string {
  const seconds = Math.round((date.getTime() - now.getTime()) / 1_000)
  const unit = UNITS.find(([, length]) => Math.abs(seconds) >= length)
  if (unit === undefined) return 'just now'
  const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
  return words.format(Math.trunc(seconds / unit[1]), unit[0])
}

/** The name of a stage at the beginning of a sentence. */
export function sentenceCase(name: string): string {
  const words = name.replaceAll(/[_-]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
