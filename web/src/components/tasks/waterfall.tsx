import { clsx } from 'clsx'
import { ArrowRightLeft, CircleStop, Clock, Flag, type LucideIcon, Sparkles, Split, User, Wrench, XCircle } from 'lucide-react'
import { useId, useMemo, useState } from 'react'
import type { TaskTree } from '@/api/types'
import { duration } from '@/lib/amounts'
import { words } from '@/words/en/tasks'
import { say } from '@/words/say'
import { StepPanel } from './step-panel'
import { fullLabel, type Span, type SpanKind, type Timeline, timeline } from './timeline'

/** The waterfall, and the details of the step that is chosen. */
export function TaskTimeline({ tree }: { tree: TaskTree }) {
  const panelId = useId()
  const [selected, setSelected] = useState<number>()
  const line = useMemo(() => timeline(tree), [tree])
  const span = line.spans.find(({ seq }) => seq === selected)
  const close = () => {
    setSelected(undefined)
    if (selected !== undefined) document.getElementById(`step-${selected}`)?.focus()
  }
  return (
    <div className={clsx('grid grid-cols-1 gap-4', span !== undefined && 'lg:grid-cols-[minmax(0,1fr)_22rem]')}>
      <Waterfall timeline={line} selected={selected} onSelect={setSelected} panelId={panelId} />
      <div
        id={panelId}
        hidden={span === undefined}
        onKeyDown={(event) => {
          if (event.key === 'Escape') close()
        }}
      >
        {span !== undefined && <StepPanel span={span} onClose={close} />}
      </div>
    </div>
  )
}

interface WaterfallProps {
  timeline: Timeline
  selected: number | undefined
  onSelect: (seq: number) => void
  /** The id of what shows a step's details. */
  panelId: string
}

/** Every step on one clock, under the agent that took it. */
function Waterfall({ timeline, selected, onSelect, panelId }: WaterfallProps) {
  const { spans, length } = timeline
  return (
    <ol className="grid gap-px self-start rounded-lg border border-border bg-surface py-2">
      {spans.map((span, index) => (
        <li key={span.seq}>
          {spans[index - 1]?.task !== span.task && (
            <p dir="auto" className="px-4 pt-2.5 pb-1 text-xs font-medium text-muted wrap-anywhere">{span.task.agent_name ?? words.anAgentThatIsGone}</p>
          )}
          <WaterfallRow
            span={span}
            length={length}
            selected={span.seq === selected}
            panelId={panelId}
            onSelect={() => {
              onSelect(span.seq)
            }}
          />
        </li>
      ))}
    </ol>
  )
}

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

function WaterfallRow({ span, length, selected, panelId, onSelect }: WaterfallRowProps) {
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
          {failed && <span className="sr-only"> {words.failedNote}</span>}
        </span>
      </span>
      <svg aria-hidden viewBox="0 0 100 8" preserveAspectRatio="none" className="h-2 w-full overflow-visible">
        <rect x={0} y={3.5} width={100} height={1} className="fill-border" />
        <rect x={x} y={0} width={width} height={8} className={clsx(failed ? 'fill-danger' : span.state === 'cut' ? 'fill-control' : fill, span.state === 'open' && 'animate-pulse')} />
      </svg>
      <span className="text-right text-xs whitespace-nowrap text-muted tabular-nums">
        {span.state === 'open' ? words.goingOnLower : took > 0 ? duration(took) : <span className="sr-only">{say(words.atStart, { start: duration(span.start) })}</span>}
      </span>
    </button>
  )
}

/** `fill` colours its bar. */
const SPAN_LOOK: Record<SpanKind, { icon: LucideIcon; fill: string }> = {
  person: { icon: User, fill: 'fill-control' },
  model: { icon: Sparkles, fill: 'fill-brand' },
  tool: { icon: Wrench, fill: 'fill-info' },
  approval: { icon: Clock, fill: 'fill-warning' },
  router: { icon: Split, fill: 'fill-brand' },
  handoff: { icon: ArrowRightLeft, fill: 'fill-brand' },
  stage: { icon: Flag, fill: 'fill-success' },
  error: { icon: XCircle, fill: 'fill-danger' },
  end: { icon: CircleStop, fill: 'fill-control' },
}
