// One figure: its value and change, the plot, the numbers, where it leads, and the rows behind a bucket.
import { TrendingUp } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Section } from '@/components/ui/section'
import { type FigureAnswer, useForecast } from '@/hooks/use-analytics'
import { words } from '@/words/en/analytics'
import { say } from '@/words/say'
import type { Chosen } from './figure-address'
import { FigureChange } from './figure-change'
import { FigureRows } from './figure-rows'
import { FigureTable } from './figure-table'
import { formatValue, leastStep, rangeOf, shortValue } from './figure-values'
import { ForecastNote, NoForecast } from './forecast-note'
import { Legend, Plot } from './plot'
import { plotData, totalOf } from './plot-data'

interface FigureViewProps {
  answer: FigureAnswer
  chosen: Chosen
  onChange: (next: Chosen) => void
}

export function FigureView({ answer, chosen, onChange }: FigureViewProps) {
  const { figure, by, buckets } = answer
  const total = totalOf(answer, chosen.currency)
  const currency = total?.currency ?? null
  const valued = { unit: figure.unit, currency }
  const query = useForecast(figure.name, by, currency ?? undefined, chosen.forecast && figure.can_be_forecast)
  const forecast = chosen.forecast ? (query.data?.forecast ?? undefined) : undefined
  const whyNot = chosen.forecast ? query.data?.why_not : undefined
  const data = plotData(answer, currency, forecast)
  const opened = buckets.find(({ from }) => from === chosen.open)
  const open = (from: string | undefined) => {
    onChange({ ...chosen, open: from === chosen.open ? undefined : from })
  }
  return (
    <div className="grid grid-cols-1 gap-8">
      <Card className="grid grid-cols-1 gap-4 p-4 sm:p-5">
        <div className="flex flex-wrap items-start justify-between gap-3">
          <div>
            <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
              <span className="text-2xl font-semibold tabular-nums">
                {total === undefined ? words.nothingYet : formatValue(total.total, valued)}
              </span>
              {total !== undefined && <FigureChange figure={figure} now={total.total} before={total.before} />}
            </p>
            {total !== undefined && total.before !== null && (
              <p className="mt-0.5 text-sm text-muted tabular-nums">
                {say(words.before, { value: formatValue(total.before, valued), days: rangeOf(answer.before.from, answer.before.to) })}
              </p>
            )}
            {figure.area === 'agents' && answer.whose === 'own' && <p className="mt-0.5 text-sm text-muted">{words.onlyYourOwn}</p>}
          </div>
          {figure.can_be_forecast && (
            <Button
              variant="secondary"
              aria-pressed={chosen.forecast}
              pending={chosen.forecast && query.isFetching}
              onClick={() => {
                onChange({ ...chosen, forecast: !chosen.forecast })
              }}
            >
              <TrendingUp aria-hidden className="size-4" />
              {words.showForecast}
            </Button>
          )}
        </div>
        <Plot
          label={figure.label}
          data={data}
          format={(value) => formatValue(value, valued)}
          short={(value) => shortValue(value, valued)}
          leastStep={leastStep(figure.unit)}
          onOpen={(bucket) => {
            open(buckets[bucket]?.from)
          }}
        />
        <Legend data={data} />
        {forecast !== undefined && <ForecastNote figure={figure} forecast={forecast} />}
        {whyNot !== null && whyNot !== undefined && <NoForecast why={whyNot} />}
        <p className="text-sm text-muted">{figure.about}</p>
      </Card>
      {opened !== undefined && (
        <FigureRows
          answer={answer}
          currency={currency}
          bucket={opened}
          onClose={() => {
            open(undefined)
          }}
        />
      )}
      <Section title={words.numbers}>
        <FigureTable answer={answer} currency={currency} open={chosen.open} onOpen={open} />
      </Section>
    </div>
  )
}
