import { clsx } from 'clsx'
import { Check } from 'lucide-react'
import { sentenceCase } from '@/lib/text'
import type { StageState } from './pipeline'

const WORDS = { done: 'done', current: 'current', next: 'to come' }

/** Where a pipeline is, in one line. */
export function PipelineStrip({ stages }: { stages: readonly StageState[] }) {
  return (
    <ol aria-label="Stages" className="flex shrink-0 gap-2 overflow-x-auto border-b border-border px-4 py-2.5 sm:px-6">
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
            <span className="sr-only">({WORDS[state]})</span>
          </span>
        </li>
      ))}
    </ol>
  )
}
