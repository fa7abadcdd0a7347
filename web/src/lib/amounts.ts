// Numbers as people read them: tokens, money, time taken, shares and sizes.
import { words } from '@/words/en/common'
import { say } from '@/words/say'

const compact = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 })

/** `1.2K`. */
export function short(count: number): string {
  return compact.format(count)
}

/** Cents are too coarse for a single answer: small sums show two digits that count. */
export function money(usd: number | null): string {
  if (usd === null) return words.unknown
  if (usd > 0 && usd < 0.0001) return '< $0.0001'
  const small = usd !== 0 && Math.abs(usd) < 0.1
  return new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    ...(small ? { maximumSignificantDigits: 2 } : {}),
  }).format(usd)
}

/** `12 ms`, `1.2 s`, `3 min 4 s`, `2 h 5 min`. */
export function duration(milliseconds: number): string {
  const ms = Math.max(0, Math.round(milliseconds))
  if (ms < 1000) return say(words.milliseconds, { ms })
  if (ms < 59_950) return say(words.seconds, { seconds: (ms / 1000).toFixed(1) })
  const seconds = Math.round(ms / 1000)
  if (seconds < 3600) return say(words.minutesAndSeconds, { minutes: Math.floor(seconds / 60), seconds: seconds % 60 })
  const minutes = Math.round(seconds / 60)
  return say(words.hoursAndMinutes, { hours: Math.floor(minutes / 60), minutes: minutes % 60 })
}

/** From 0 to 1. */
export function percent(share: number): string {
  return new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 }).format(share)
}

export function fileSize(bytes: number): string {
  if (bytes < 1_024) return say(words.bytes, { size: bytes })
  if (bytes < 1_048_576) return say(words.kilobytes, { size: Math.round(bytes / 1_024) })
  return say(words.megabytes, { size: (bytes / 1_048_576).toFixed(1) })
}
