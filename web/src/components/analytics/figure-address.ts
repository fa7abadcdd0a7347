// What is chosen on the page of a figure, in its address: so it can be shared, and the browser's Back takes a step back.
import { type Grain, GRAINS } from '@/hooks/use-analytics'

export type PeriodName = 'usual' | 'last_30_days' | 'last_90_days' | 'last_12_months' | 'last_24_months' | 'this_year' | 'custom'

export const PERIODS: readonly PeriodName[] = ['usual', 'last_30_days', 'last_90_days', 'this_year', 'last_12_months', 'last_24_months', 'custom']

export interface Chosen {
  by: Grain
  period: PeriodName
  /** Of chosen days. */
  from: string | undefined
  to: string | undefined
  currency: string | null
  forecast: boolean
  /** The first day of the bucket that is open. */
  open: string | undefined
}

const DAY = /^\d{4}-\d\d-\d\d$/

export function chosenIn(search: string): Chosen {
  const params = new URLSearchParams(search)
  const day = (name: string) => {
    const given = params.get(name)
    return given !== null && DAY.test(given) ? given : undefined
  }
  const [from, to] = [day('from'), day('to')]
  return {
    by: GRAINS.find((one) => one === params.get('by')) ?? 'month',
    period: from !== undefined && to !== undefined ? 'custom' : (PERIODS.find((one) => one === params.get('period') && one !== 'custom') ?? 'usual'),
    from,
    to,
    currency: params.get('currency'),
    forecast: params.get('forecast') === 'yes',
    open: day('open'),
  }
}

export function addressOf(figure: string, { by, period, from, to, currency, forecast, open }: Chosen): string {
  const params = new URLSearchParams({ by })
  if (period === 'custom') {
    if (from !== undefined) params.set('from', from)
    if (to !== undefined) params.set('to', to)
  } else if (period !== 'usual') params.set('period', period)
  if (currency !== null) params.set('currency', currency)
  if (forecast) params.set('forecast', 'yes')
  if (open !== undefined) params.set('open', open)
  return `/analytics/${figure}?${params.toString()}`
}

/** The first and the last day that are asked for; none of what is usual. */
export function daysOf({ period, from, to }: Pick<Chosen, 'period' | 'from' | 'to'>, today: string): { from?: string; to?: string } {
  const [year = 0, month = 0] = today.split('-').map(Number)
  const first = (months: number) => new Date(Date.UTC(year, month - 1 - months, 1)).toISOString().slice(0, 10)
  const back = (days: number) => new Date(Date.parse(`${today}T00:00:00Z`) - days * 86_400_000).toISOString().slice(0, 10)
  switch (period) {
    case 'usual':
      return {}
    case 'last_30_days':
      return { from: back(29), to: today }
    case 'last_90_days':
      return { from: back(89), to: today }
    case 'this_year':
      return { from: `${today.slice(0, 4)}-01-01`, to: today }
    case 'last_12_months':
      return { from: first(11), to: today }
    case 'last_24_months':
      return { from: first(23), to: today }
    case 'custom':
      return { from, to }
  }
}
