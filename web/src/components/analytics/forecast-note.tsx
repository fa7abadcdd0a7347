import { Info } from 'lucide-react'
import type { Figure, FigureForecast } from '@/hooks/use-analytics'
import { words } from '@/words/en/analytics'
import { say } from '@/words/say'
import { formatValue } from './figure-values'

/** How a forecast was made, and how far it can be trusted. */
export function ForecastNote({ figure, forecast }: { figure: Figure; forecast: FigureForecast }) {
  const { method, season, by, interval_percent, accuracy, currency } = forecast
  const told = (value: number) => formatValue(value, { unit: figure.unit, currency })
  return (
    <div className="grid gap-1 text-sm text-muted">
      <p>{say(words.method, { method, season, grain: words.grains[by].toLowerCase(), percent: interval_percent })}</p>
      <p>
        {accuracy === null
          ? words.accuracyUnknown
          : say(words.accuracy, { count: accuracy.buckets, error: told(accuracy.error), naive: told(accuracy.naive), seasonal: told(accuracy.seasonal_naive) })}
      </p>
      {accuracy !== null && !accuracy.is_best && <p>{words.notBest}</p>}
    </div>
  )
}

/** Why there is none. */
export function NoForecast({ why }: { why: string }) {
  return (
    <p role="status" className="flex gap-2 text-sm text-muted">
      <Info aria-hidden className="mt-0.5 size-4 shrink-0" />
      {say(words.noForecast, { why })}
    </p>
  )
}
