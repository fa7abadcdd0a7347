import { X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { TaskStep } from '@/api/types'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { CopyJson } from '@/components/ui/copy'
import { exactly, NamedValues } from '@/components/ui/named-values'
import { duration } from '@/lib/amounts'
import { sentenceCase } from '@/lib/text'
import { timeOfDay } from '@/lib/when'
import { words } from '@/words/en/tasks'
import { rich } from '@/words/rich'
import { say } from '@/words/say'
import { kindOf, usageOf } from './step-body'
import { UsageLine } from './task-status'
import { fullLabel, type Span } from './timeline'

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
            {say(began === undefined ? words.agentAfterTheBeginning : words.agentAfterTheBeginningAt, {
              agent: span.task.agent_name ?? words.anAgentThatIsGone,
              after: duration(span.start),
              time: began === undefined ? '' : timeOfDay(began),
            })}
          </p>
          {span.state === 'cut' && <CutNote retried={span.retried} />}
        </div>
        <Button variant="ghost" size="icon" className="-mt-1.5 -mr-1.5" aria-label={words.closeDetails} onClick={onClose}>
          <X aria-hidden className="size-4" />
        </Button>
      </div>
      {span.steps.map((step) => (
        <StepDetails key={`${step.seq} ${step.type}`} step={step} />
      ))}
      <div className="mt-4">
        <CopyJson value={span.steps} label={words.copyStepAsJSON} />
      </div>
    </Card>
  )
}

function CutNote({ retried }: Pick<Span, 'retried'>) {
  return (
    <p className="mt-2 text-sm">
      {retried === undefined ? words.itHadNotEndedWhen : words.theServerStoppedWhileIt}
      {retried?.lost !== undefined && (
        <>
          {' '}
          {rich(words.itMayHaveUsed, { usage: <UsageLine usage={retried.lost} /> })}
        </>
      )}
    </p>
  )
}

/** Not for people: ids, marks, and what is shown in another way. */
const HIDDEN = new Set(['step', 'usage', 'lost_usage', 'nature', 'activation_id', 'task_id', 'call_id', 'approval_id', 'id', 'epoch', 'begins_message'])

/** The fields of a step, as they were written down. */
function StepDetails({ step }: { step: TaskStep }) {
  const usage = usageOf(step)
  const fields = Object.entries(step.body as Record<string, unknown>).filter(
    ([name, value]) => !HIDDEN.has(name) && value !== null && value !== '',
  )
  if (fields.length === 0 && usage === undefined) return null
  return (
    <section className="mt-4 border-t border-border pt-3 text-sm">
      <h4 className="mb-2 text-xs font-medium text-muted">{sentenceCase(kindOf(step))}</h4>
      <dl className="grid gap-2.5">
        {fields.map(([name, value]) => (
          <div key={name}>
            <dt className="text-xs text-muted">{sentenceCase(name)}</dt>
            <dd dir="auto" className="mt-0.5 whitespace-pre-wrap wrap-anywhere">
              {typeof value === 'object' && value !== null && !Array.isArray(value) ? (
                <NamedValues values={Object.entries(value)} wording={exactly} className="rounded-md bg-subtle p-2" />
              ) : typeof value === 'string' ? (
                value
              ) : (
                exactly(value)
              )}
            </dd>
          </div>
        ))}
        {usage !== undefined && (
          <div>
            <dt className="text-xs text-muted">{words.tokensAndCost}</dt>
            <dd className="mt-0.5">
              <UsageLine usage={usage} />
            </dd>
          </div>
        )}
      </dl>
    </section>
  )
}
