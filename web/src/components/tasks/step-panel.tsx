import { X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { CopyJson } from '@/components/ui/copy-json'
import { duration } from '@/lib/amounts'
import { timeOfDay } from '@/lib/when'
import { StepDetails } from './step-details'
import { fullLabel, type Span } from './timeline'
import { UsageLine } from './usage-line'

interface StepPanelProps {
  span: Span
  onClose: () => void
}

/** What a step was, beside the timeline; below it on small screens, where it takes the reader along. */
export function StepPanel({ span, onClose }: StepPanelProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const began = span.steps[0]?.created_at
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    heading.current?.scrollIntoView({ block: 'nearest', behavior: 'smooth' })
  }, [span.seq])
  return (
    <Card className="max-h-[calc(100dvh-8rem)] overflow-y-auto p-4 lg:sticky lg:top-6">
      <div className="flex items-start justify-between gap-2">
        <div className="min-w-0">
          <h3 ref={heading} tabIndex={-1} className="scroll-mt-20 font-semibold outline-none wrap-anywhere">
            {fullLabel(span)}
          </h3>
          <p className="mt-0.5 text-xs text-muted">
            {span.task.agent_name ?? 'An agent that is gone'}, {duration(span.start)} after the beginning{began !== undefined && `, at ${timeOfDay(began)}`}
          </p>
          {span.state === 'cut' && <CutNote retried={span.retried} />}
        </div>
        <Button variant="ghost" size="icon" className="-mt-1.5 -mr-1.5" aria-label="Close details" onClick={onClose}>
          <X aria-hidden className="size-4" />
        </Button>
      </div>
      {span.steps.map((step) => (
        <StepDetails key={`${step.seq} ${step.type}`} step={step} />
      ))}
      <div className="mt-4">
        <CopyJson value={span.steps} label="Copy step as JSON" />
      </div>
    </Card>
  )
}

function CutNote({ retried }: Pick<Span, 'retried'>) {
  return (
    <p className="mt-2 text-sm">
      {retried === undefined ? 'It had not ended when its task did.' : 'The server stopped while it went on, so it was tried again.'}
      {retried?.lost !== undefined && (
        <>
          {' '}
          It may have used <UsageLine usage={retried.lost} />, which is an estimate.
        </>
      )}
    </p>
  )
}
