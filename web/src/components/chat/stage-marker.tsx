import { CheckCircle2 } from 'lucide-react'
import type { StagePart } from '@/chat/types'
import { sentenceCase } from '@/lib/text'
import { Disclosure } from './disclosure'
import { PassedContext } from './passed-context'

interface StageMarkerProps {
  part: StagePart
  /** The result of the stage that ended, which the next one gets. */
  passed: readonly [string, unknown][]
}

/** Where one stage of a pipeline ended and the next began. */
export function StageMarker({ part, passed }: StageMarkerProps) {
  const line = (
    <span className="flex min-w-0 grow items-center gap-2 text-brand">
      <CheckCircle2 aria-hidden className="size-4 shrink-0" />
      <span className="min-w-0 font-medium wrap-anywhere">{stageWords(part)}</span>
      <span className="ml-auto shrink-0 text-xs">
        {part.number} of {part.of}
      </span>
    </span>
  )
  const box = 'rounded-lg border border-brand/25 bg-brand-subtle/60 text-sm'
  if (passed.length === 0) return <p className={`${box} flex min-h-9 px-3 py-1.5`}>{line}</p>
  return (
    <div className={box}>
      <Disclosure summary={line}>
        <PassedContext className="px-3 pb-3 pl-9" values={passed} />
      </Disclosure>
    </div>
  )
}

/** `Qualification complete, starting assessment`. */
function stageWords(part: StagePart): string {
  return `${sentenceCase(part.completed)} complete, starting ${sentenceCase(part.name).toLowerCase()}`
}
