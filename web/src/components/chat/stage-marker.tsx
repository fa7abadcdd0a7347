import { CheckCircle2 } from 'lucide-react'
import type { StagePart } from '@/chat/types'
import { sentenceCase } from '@/lib/text'

/** Where one stage of a pipeline ended and the next began. */
export function StageMarker({ part }: { part: StagePart }) {
  return (
    <p className="flex items-center gap-2 rounded-lg border border-brand/25 bg-brand-subtle/60 px-3 py-2 text-sm text-brand">
      <CheckCircle2 aria-hidden className="size-4 shrink-0" />
      <span className="min-w-0 font-medium wrap-anywhere">{stageWords(part)}</span>
      <span className="ml-auto shrink-0 text-xs">
        {part.number} of {part.of}
      </span>
    </p>
  )
}

/** `Qualification complete, starting assessment`. */
function stageWords(part: StagePart): string {
  return `${sentenceCase(part.completed)} complete, starting ${sentenceCase(part.name).toLowerCase()}`
}
