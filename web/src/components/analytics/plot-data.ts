// A figure's answer as a plot draws it.
import type { FigureAnswer, FigureForecast, FigureSeries, FigureTotal } from '@/hooks/use-analytics'
import { words } from '@/words/en/analytics'
import { bucketName } from './figure-values'
import { MOST_LINES } from './plot-colors'
import type { PlotData, PlotLine } from './plot-layout'

/** The total in a currency: the largest unless one is chosen. */
export function totalOf(answer: FigureAnswer, currency: string | null): FigureTotal | undefined {
  return answer.totals.find((total) => total.currency === currency) ?? answer.totals[0]
}

/** The series of a figure in a currency, those that are too many put together. */
export function linesOf(answer: FigureAnswer, currency: string | null): PlotLine[] {
  const series = answer.series.filter((one) => one.currency === currency)
  const total = totalOf(answer, currency)
  if (answer.figure.series === null || series.length === 0) {
    return total === undefined ? [] : [{ key: '', label: answer.figure.label, values: total.values }]
  }
  if (series.length <= MOST_LINES && answer.left_off === 0) return series.map(line)
  const shown = series.slice(0, MOST_LINES - 1)
  const rest = total?.values.map((all, at) => (all === null ? null : all - shown.reduce((sum, { values }) => sum + (values[at] ?? 0), 0)))
  return [...shown.map(line), { key: 'others', label: words.others, values: rest ?? [] }]
}

function line({ key, label, values }: FigureSeries): PlotLine {
  return { key, label, values }
}

export function plotData(answer: FigureAnswer, currency: string | null, forecast?: FigureForecast): PlotData {
  const { figure, by } = answer
  const total = totalOf(answer, currency)
  const shape = figure.told === 'in_bucket' && figure.unit !== 'share' && figure.unit !== 'days' ? 'bars' : 'line'
  const names = answer.buckets.map((bucket) => bucketName(bucket, by))
  const before = total?.before_values ?? []
  if (forecast === undefined) return { names, lines: linesOf(answer, currency), before, forecast: [], shape }
  // The bucket under way is forecast as a whole; what is behind it is what came of it so far.
  const first = answer.buckets.findIndex(({ to }) => to >= (forecast.points[0]?.from ?? ''))
  const known = first < 0 ? names.length : first
  const ahead = forecast.points.map((point) => bucketName(point, by))
  const lines = linesOf(answer, currency).map((one) => ({ ...one, values: [...one.values.slice(0, known + 1), ...ahead.slice(1).map(() => null)] }))
  return {
    names: [...names.slice(0, known), ...ahead],
    lines,
    before: [],
    forecast: [...names.slice(0, known).map(() => null), ...forecast.points],
    shape,
  }
}
