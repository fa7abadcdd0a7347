import { ArrowRightLeft } from 'lucide-react'
import type { HandoffPart } from '@/chat/types'
import { Disclosure } from './disclosure'
import { PassedValues } from './passed-values'

/** Where one agent handed the conversation to another, and what it passed along. */
export function HandoffMarker({ part }: { part: HandoffPart }) {
  const passed = Object.entries(part.context).filter(([name]) => !name.startsWith('_'))
  const line = (
    <span className="flex min-w-0 items-center gap-2 font-medium text-brand">
      <ArrowRightLeft aria-hidden className="size-4 shrink-0" />
      <span className="min-w-0 truncate">Routed to {part.toName}</span>
    </span>
  )
  const box = 'rounded-lg border border-brand/25 bg-brand-subtle/60 text-sm'
  if (passed.length === 0 && part.reason === null) return <p className={`${box} px-3 py-2`}>{line}</p>
  return (
    <div className={box}>
      <Disclosure summary={line} defaultOpen={passed.length > 0 && passed.length <= 4}>
        <div className="grid gap-2 px-3 pb-3 pl-9">
          {part.reason !== null && <p className="text-muted wrap-anywhere">{part.reason}</p>}
          <PassedValues values={passed} />
        </div>
      </Disclosure>
    </div>
  )
}
