import type { Timeline } from './timeline'
import { WaterfallRow } from './waterfall-row'

interface WaterfallProps {
  timeline: Timeline
  selected: number | undefined
  onSelect: (seq: number) => void
  /** The id of what shows a step's details. */
  panelId: string
}

/** Every step on one clock, under the agent that took it. */
export function Waterfall({ timeline, selected, onSelect, panelId }: WaterfallProps) {
  const { spans, length } = timeline
  return (
    <ol className="grid gap-px self-start rounded-lg border border-border bg-surface py-2">
      {spans.map((span, index) => (
        <li key={span.seq}>
          {spans[index - 1]?.task !== span.task && (
            <p className="px-4 pt-2.5 pb-1 text-xs font-medium text-muted wrap-anywhere">{span.task.agent_name ?? 'An agent that is gone'}</p>
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
