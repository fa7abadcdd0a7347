import { clsx } from 'clsx'
import { Check, Undo2 } from 'lucide-react'
import { IconButton } from '@/components/ui/icon-button'
import type { StageSnapshot } from '@/hooks/use-holders'
import { sentenceCase } from '@/lib/text'
import { words } from '@/words/en/chat-on-demand'
import { say } from '@/words/say'
import { Disclosure } from './disclosure'
import { PassedValues } from './handoff-marker'
import type { StageState } from './pipeline'

interface StageListProps {
  stages: readonly StageState[]
  snapshots: readonly StageSnapshot[]
  /** Whether this person can give the conversation to the agent. */
  canChoose: (agentId: string) => boolean
  onChoose: (agentId: string) => void
}

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
                <span dir="auto" className="block truncate text-xs text-muted">{agentName}</span>
              </span>
              <span className="shrink-0 text-xs text-muted">{words.stageStates[state]}</span>
              {canReturn && canChoose(agentId) && (
                <IconButton
                  label={state === 'done' ? say(words.goBackTo, { name }) : say(words.goOnWith, { name })}
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
                  <span className="text-muted">
                    {snapshot.version > 1 ? say(words.resultVersion, { version: snapshot.version }) : words.result}
                  </span>
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

/** Where a pipeline is, in one line. */
export function PipelineStrip({ stages }: { stages: readonly StageState[] }) {
  return (
    <ol aria-label={words.stages} className="flex shrink-0 gap-2 overflow-x-auto border-b border-border px-4 py-2.5 sm:px-6">
      {stages.map(({ name, state }, index) => (
        <li
          key={name}
          aria-current={state === 'current' ? 'step' : undefined}
          className={clsx('flex min-w-16 grow basis-0 flex-col gap-1.5 text-xs font-medium', state === 'next' && 'text-muted')}
        >
          <span
            aria-hidden
            className={clsx('h-1 rounded-full', { done: 'bg-brand', current: 'bg-brand/50', next: 'bg-border' }[state])}
          />
          <span className="flex items-center gap-1 truncate">
            {state === 'done' ? <Check aria-hidden className="size-3.5 shrink-0 text-brand" /> : `${index + 1}.`}
            <span className="truncate">{sentenceCase(name)}</span>
            <span className="sr-only">({words.stageStatesAfterName[state]})</span>
          </span>
        </li>
      ))}
    </ol>
  )
}
