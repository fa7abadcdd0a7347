import { clsx } from 'clsx'
import { duration } from '@/lib/amounts'
import { SPAN_LOOK } from './span-look'
import { fullLabel, type Span } from './timeline'

interface WaterfallRowProps {
  span: Span
  /** Of the whole timeline, in milliseconds. */
  length: number
  selected: boolean
  panelId: string
  onSelect: () => void
}

/** Narrower bars could not be seen. In per cent of the timeline. */
const NARROWEST = 0.8

export function WaterfallRow({ span, length, selected, panelId, onSelect }: WaterfallRowProps) {
  const { icon: Icon, fill } = SPAN_LOOK[span.kind]
  const failed = span.state === 'failed'
  const took = span.end - span.start
  const width = Math.max(NARROWEST, (took / length) * 100)
  const x = Math.min((span.start / length) * 100, 100 - width)
  return (
    <button
      id={`step-${span.seq}`}
      type="button"
      aria-pressed={selected}
      aria-controls={panelId}
      className={clsx(
        'grid w-full grid-cols-[minmax(0,1.2fr)_minmax(0,1fr)_3.5rem] items-center gap-3 px-4 py-1.5 text-left text-sm focus-visible:-outline-offset-2 sm:grid-cols-[minmax(0,16rem)_minmax(0,1fr)_5rem] pointer-coarse:py-2.5',
        selected ? 'bg-subtle' : 'hover:bg-subtle/60',
      )}
      onClick={onSelect}
    >
      <span className="flex min-w-0 items-center gap-2">
        <Icon aria-hidden className={clsx('size-4 shrink-0', failed ? 'text-danger' : 'text-muted')} />
        <span className={clsx('min-w-0 wrap-anywhere', failed && 'text-danger')}>
          {fullLabel(span)}
          {failed && <span className="sr-only"> (failed)</span>}
        </span>
      </span>
      <svg aria-hidden viewBox="0 0 100 8" preserveAspectRatio="none" className="h-2 w-full overflow-visible">
        <rect x={0} y={3.5} width={100} height={1} className="fill-border" />
        <rect x={x} y={0} width={width} height={8} className={clsx(failed ? 'fill-danger' : span.state === 'cut' ? 'fill-control' : fill, span.state === 'open' && 'animate-pulse')} />
      </svg>
      <span className="text-right text-xs whitespace-nowrap text-muted tabular-nums">
        {span.state === 'open' ? 'going on' : took > 0 ? duration(took) : <span className="sr-only">at {duration(span.start)}</span>}
      </span>
    </button>
  )
}
