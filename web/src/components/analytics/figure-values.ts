// Values of figures as people read them, each in its unit.
import type { Figure, Grain } from '@/hooks/use-analytics'
import { money, short } from '@/lib/amounts'
import { fullDay, monthDay } from '@/lib/days'
import { formatMoney, shortMoney } from '@/lib/money'
import { locale } from '@/lib/locale'
import { words } from '@/words/en/analytics'
import { say } from '@/words/say'

type Unit = Figure['unit']

export interface Valued {
  unit: Unit
  currency: string | null
}

/** `€1,234.50`, `12`, `45.5 %`, `3.2 days`. */
export function formatValue(value: number | null, { unit, currency }: Valued): string {
  if (value === null) return words.noValue
  switch (unit) {
    case 'money':
      return currency === null ? value.toLocaleString() : formatMoney(value, currency)
    case 'cost':
      return money(value / 1_000_000)
    case 'share':
      return percentOf(value / 1_000)
    case 'days':
      return say(words.days, { days: oneDigit(value / 10) })
    case 'tokens':
    case 'count':
      return value.toLocaleString()
  }
}

/** For axes and cards. */
export function shortValue(value: number | null, { unit, currency }: Valued): string {
  if (value === null) return words.noValue
  if (unit === 'money' && currency !== null) return shortMoney(value, currency)
  if (unit === 'count' || unit === 'tokens') return short(value)
  return formatValue(value, { unit, currency })
}

function percentOf(share: number): string {
  return new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 }).format(share)
}

function oneDigit(value: number): string {
  return new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 }).format(value)
}

export interface Change {
  text: string
  /** Whether it is good news; undefined if it is neither. */
  isGood: boolean | undefined
}

/** How much more or less than before; undefined where that can't be said. */
export function changeOf(now: number | null, before: number | null, figure: Pick<Figure, 'unit' | 'better'>): Change | undefined {
  if (now === null || before === null) return undefined
  const isGood = now === before || figure.better === 'neither' ? undefined : now > before === (figure.better === 'more')
  if (now === before) return { text: words.unchanged, isGood }
  const signed = { signDisplay: 'exceptZero', maximumFractionDigits: 1 } as const
  if (figure.unit === 'share') {
    return { text: say(words.points, { points: new Intl.NumberFormat(undefined, signed).format((now - before) / 10) }), isGood }
  }
  if (before <= 0) return undefined
  const share = new Intl.NumberFormat(undefined, { ...signed, style: 'percent' }).format((now - before) / before)
  return { text: share.replace('-', '−'), isGood }
}

/** The least step that an axis has. */
export function leastStep(unit: Unit): number {
  return unit === 'count' || unit === 'tokens' ? 1 : 0
}

/** `Nov 2026`, `Nov 16, 2026`, or `Nov 16 – 22, 2026`. */
export function bucketName({ from, to }: { from: string; to: string }, by: Grain): string {
  if (by === 'month') return monthDay(from)
  return by === 'day' || from === to ? fullDay(from) : rangeOf(from, to)
}

export function rangeOf(from: string, to: string): string {
  const [first, last] = [from, to].map((day) => new Date(`${day}T00:00:00Z`)) as [Date, Date]
  return new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeZone: 'UTC' }).formatRange(first, last)
}
