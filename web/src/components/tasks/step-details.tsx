import type { TaskStep } from '@/api/types'
import { sentenceCase } from '@/lib/text'
import { UsageLine } from './usage-line'
import { kindOf, usageOf } from './step-body'

/** Not for people: ids, marks, and what is shown in another way. */
const HIDDEN = new Set(['step', 'usage', 'lost_usage', 'nature', 'activation_id', 'task_id', 'call_id', 'approval_id', 'id', 'epoch', 'begins_message'])

/** The fields of a step, as they were written down. */
export function StepDetails({ step }: { step: TaskStep }) {
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
            <dd className="mt-0.5 whitespace-pre-wrap wrap-anywhere">
              {typeof value === 'string' ? (
                value
              ) : (
                <code className="block rounded-md bg-subtle p-2 font-mono text-xs">{JSON.stringify(value, null, 2)}</code>
              )}
            </dd>
          </div>
        ))}
        {usage !== undefined && (
          <div>
            <dt className="text-xs text-muted">Tokens and cost</dt>
            <dd className="mt-0.5">
              <UsageLine usage={usage} />
            </dd>
          </div>
        )}
      </dl>
    </section>
  )
}
