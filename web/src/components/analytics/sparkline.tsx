import { layoutOf } from './plot-layout'

const WIDTH = 200
const HEIGHT = 40

/** How it went, without numbers: they stand beside it. */
export function Sparkline({ values }: { values: readonly (number | null)[] }) {
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
