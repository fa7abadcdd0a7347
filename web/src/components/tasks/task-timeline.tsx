import { useId, useMemo, useState } from 'react'
import { clsx } from 'clsx'
import type { TaskTree } from '@/api/types'
import { StepPanel } from './step-panel'
import { timeline } from './timeline'
import { Waterfall } from './waterfall'

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
