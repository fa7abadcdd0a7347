import { clsx } from 'clsx'
import { Check } from 'lucide-react'
import { sentenceCase } from '@/lib/text'
import { Disclosure } from './disclosure'
import { PassedValues } from './passed-values'
import type { StageState } from './pipeline'
import type { StageSnapshot } from './use-snapshots'

interface StageListProps {
  stages: readonly StageState[]
  snapshots: readonly StageSnapshot[]
}

const WORDS = { done: 'Done', current: 'Now', next: 'Next' }

/** The stages of a pipeline with who does them and what came of each. */
export function StageList({ stages, snapshots }: StageListProps) {
  return (
    <ol className="grid grid-cols-1 gap-3">
      {stages.map(({ name, agentName, state }, index) => {
        const snapshot = snapshots.findLast(({ stage }) => stage === name)
        return (
          <li key={name} aria-current={state === 'current' ? 'step' : undefined}>
            <div className="flex items-center gap-3">
              <span
                aria-hidden
                className={clsx(
                  'flex size-7 shrink-0 items-center justify-center rounded-full text-xs font-semibold',
                  state === 'done' && 'bg-brand-subtle text-brand',
                  state === 'current' && 'bg-primary text-on-primary',
                  state === 'next' && 'border border-border text-muted',
                )}
              >
                {state === 'done' ? <Check className="size-4" /> : index + 1}
              </span>
              <span className="min-w-0 grow">
                <span className={clsx('block truncate text-sm font-medium', state === 'next' && 'text-muted')}>
                  {sentenceCase(name)}
                </span>
                <span className="block truncate text-xs text-muted">{agentName}</span>
              </span>
              <span className="shrink-0 text-xs text-muted">{WORDS[state]}</span>
            </div>
            {snapshot !== undefined && (
              <Disclosure
                className="mt-1.5 ml-10 rounded-lg border border-border bg-surface"
                summary={
                  <span className="text-muted">Result{snapshot.version > 1 && ` (version ${snapshot.version})`}</span>
                }
              >
                <div className="px-3 pb-3 text-sm">
                  <PassedValues values={Object.entries(toRecord(snapshot.data))} />
                </div>
              </Disclosure>
            )}
          </li>
        )
      })}
    </ol>
  )
}

function toRecord(data: unknown): Record<string, unknown> {
  return typeof data === 'object' && data !== null && !Array.isArray(data) ? (data as Record<string, unknown>) : { result: data }
}
