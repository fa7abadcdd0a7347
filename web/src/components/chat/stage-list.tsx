import { clsx } from 'clsx'
import { Check, Undo2 } from 'lucide-react'
import { sentenceCase } from '@/lib/text'
import { Disclosure } from './disclosure'
import { IconButton } from './icon-button'
import { PassedValues } from './passed-values'
import type { StageState } from './pipeline'
import type { StageSnapshot } from './use-snapshots'

interface StageListProps {
  stages: readonly StageState[]
  snapshots: readonly StageSnapshot[]
  /** Whether this person can give the conversation to the agent. */
  canChoose: (agentId: string) => boolean
  onChoose: (agentId: string) => void
}

const WORDS = { done: 'Done', current: 'Now', next: 'Next' }

/** The stages of a pipeline with who does them, what came of each, and the way back to those left behind. */
export function StageList({ stages, snapshots, canChoose, onChoose }: StageListProps) {
  return (
    <ol className="grid grid-cols-1 gap-3">
      {stages.map(({ name, agentId, agentName, state, canReturn }, index) => {
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
              {canReturn && canChoose(agentId) && (
                <IconButton
                  label={state === 'done' ? `Go back to ${name}` : `Go on with ${name}`}
                  onClick={() => {
                    onChoose(agentId)
                  }}
                >
                  <Undo2 aria-hidden className={clsx('size-4', state === 'next' && '-scale-x-100')} />
                </IconButton>
              )}
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
