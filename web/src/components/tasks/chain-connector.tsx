import { ArrowRightLeft } from 'lucide-react'
import { triggerWords } from '@/api/words'
import { PassedContext } from '@/components/chat/passed-context'
import { sentenceCase } from '@/lib/text'
import type { Link } from './chain'

/** The way from one agent to the next: what set it off, and what was passed along. */
export function ChainConnector({ handoff }: { handoff: NonNullable<Link['handoff']> }) {
  const { trigger, reason, stage, context } = handoff
  return (
    <div className="flex gap-3 px-4 py-1 lg:max-w-80 lg:min-w-40 lg:flex-1 lg:flex-col lg:px-0 lg:py-4">
      <svg aria-hidden viewBox="0 0 12 100" preserveAspectRatio="none" className="min-h-14 w-3 shrink-0 text-control lg:hidden">
        <path d="M6 0 V96 M1.5 91 L6 98 L10.5 91" fill="none" stroke="currentColor" strokeWidth="1.5" vectorEffect="non-scaling-stroke" />
      </svg>
      {/* As long as there is room: the point stays whole, the line is cut at its beginning. */}
      <svg aria-hidden viewBox="0 0 400 12" preserveAspectRatio="xMaxYMid slice" className="hidden h-3 w-full shrink-0 text-control lg:block">
        <path d="M0 6 H394 M389 1.5 L395 6 L389 10.5" fill="none" stroke="currentColor" strokeWidth="1.5" />
      </svg>
      <div className="min-w-0 grow py-2 text-xs lg:px-2.5 lg:py-0">
        <p className="flex items-start gap-1.5 font-medium text-brand">
          <ArrowRightLeft aria-hidden className="mt-px size-3.5 shrink-0" />
          {triggerWords(trigger)}
        </p>
        {stage !== undefined && <p className="mt-1 text-muted wrap-anywhere">Next stage: {sentenceCase(stage)}</p>}
        {reason !== undefined && <p className="mt-1 line-clamp-6 text-muted wrap-anywhere">“{reason}”</p>}
        <PassedContext className="mt-1.5" boxed values={context} />
      </div>
    </div>
  )
}
