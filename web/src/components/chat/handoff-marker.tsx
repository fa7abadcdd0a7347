import { ArrowRightLeft } from 'lucide-react'
import { passedContext, triggerWords } from '@/api/words'
import type { HandoffPart } from '@/chat/types'
import { Disclosure } from './disclosure'
import { PassedContext } from './passed-context'

/** Where one agent handed the conversation to another, what set it off, and what it passed along. */
export function HandoffMarker({ part }: { part: HandoffPart }) {
  const passed = passedContext(part.context)
  const line = (
    <span className="flex min-w-0 grow items-center gap-2">
      <ArrowRightLeft aria-hidden className="size-4 shrink-0 text-brand" />
      <span className="min-w-0 truncate font-medium text-brand">Routed to {part.toName}</span>
      <span className="ml-auto hidden shrink-0 text-xs text-muted sm:block">{triggerWords(part.trigger)}</span>
    </span>
  )
  const box = 'rounded-lg border border-brand/25 bg-brand-subtle/60 text-sm'
  if (passed.length === 0 && part.reason === null) return <p className={`${box} flex min-h-9 px-3 py-1.5`}>{line}</p>
  return (
    <div className={box}>
      <Disclosure summary={line} defaultOpen={passed.length > 0 && passed.length <= 4}>
        <div className="grid gap-2 px-3 pb-3 pl-9">
          {part.reason !== null && <p className="text-muted wrap-anywhere">“{part.reason}”</p>}
          <PassedContext values={passed} />
        </div>
      </Disclosure>
    </div>
  )
}
