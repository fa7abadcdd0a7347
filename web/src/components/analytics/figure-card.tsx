import { Link } from 'wouter'
import { Card } from '@/components/ui/card'
import { Skeleton } from '@/components/ui/skeleton'
import { type Figure, type FigureAnswer, type Grain, useFigure } from '@/hooks/use-analytics'
import { words } from '@/words/en/analytics'
import { FigureChange } from './figure-change'
import { formatValue, shortValue } from './figure-values'
import { layoutOf } from './plot-layout'

/** A figure at a glance; it leads to all of it. */
export function FigureCard({ figure, by = 'month' }: { figure: Figure; by?: Grain }) {
  const { data, isError } = useFigure(figure.name, { by })
  return (
    <Card className="group relative grid content-start gap-2 p-4 transition-colors hover:border-control">
      <h3 className="text-sm text-muted">
        <Link to={`/analytics/${figure.name}?by=${by}`} className="after:absolute after:inset-0 after:rounded-lg hover:text-foreground">
          {figure.label}
        </Link>
      </h3>
      {data === undefined ? isError ? <p className="text-sm text-muted">{words.notLoaded}</p> : <Skeleton className="h-20" /> : <Glance answer={data} />}
    </Card>
  )
}

function Glance({ answer: { figure, totals } }: { answer: FigureAnswer }) {
  const [total, ...more] = totals
  if (total === undefined) return <p className="text-sm text-muted">{words.nothingYet}</p>
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <span className="text-xl font-semibold tabular-nums">{formatValue(total.total, { unit: figure.unit, currency: total.currency })}</span>
        <FigureChange figure={figure} now={total.total} before={total.before} />
      </p>
      {more.length > 0 && (
        <p className="text-xs text-muted tabular-nums">
          {more.map(({ total: value, currency }) => shortValue(value, { unit: figure.unit, currency })).join(' · ')}
        </p>
      )}
      <Sparkline values={total.values} />
    </>
  )
}

const WIDTH = 200
const HEIGHT = 40

/** How it went, without numbers: they stand beside it. */
function Sparkline({ values }: { values: readonly (number | null)[] }) {
  const { lines } = layoutOf({ names: values.map(String), lines: [{ key: '', label: '', values }], before: [], forecast: [], shape: 'line' }, 0)
  return (
    <svg aria-hidden viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" className="h-10 w-full overflow-visible">
      {lines.map(({ points }, place) => {
        const drawn = points.map(({ x, y }) => `${(x * WIDTH).toFixed(1)},${(y * HEIGHT).toFixed(1)}`).join(' ')
        return <polyline key={place} points={drawn} fill="none" strokeWidth={1.5} strokeLinejoin="round" className="stroke-plot-1" vectorEffect="non-scaling-stroke" />
      })}
    </svg>
  )
}
