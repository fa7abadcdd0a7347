import { lazy, Suspense, useEffect, useRef } from 'react'
import type { ApprovalPart, ToolCallPart } from '@/chat/types'
import { Skeleton } from '@/components/ui/skeleton'
import { loadOnDemand } from './load-on-demand'
import { ToolCall } from './tool-call'

const ApprovalQuestion = lazy(async () => ({ default: (await loadOnDemand()).ApprovalQuestion }))

interface ApprovalStepProps {
  call: ToolCallPart
  approval: ApprovalPart
  live: boolean
}

/** A call that asked first: the question, then what came of it in the same place. The focus stays there. */
export function ApprovalStep({ call, approval, live }: ApprovalStepProps) {
  const place = useRef<HTMLDivElement>(null)
  const held = useRef(false)
  const pending = approval.status === 'pending'
  useEffect(() => {
    if (!pending && held.current) place.current?.focus({ preventScroll: true })
    held.current = false
  }, [pending])
  return (
    <div
      ref={place}
      tabIndex={-1}
      className="rounded-lg outline-offset-2"
      onFocus={() => {
        held.current = pending
      }}
      onBlur={(event) => {
        // A button that is taken away reports no next target; its focus is ours to keep.
        if (event.relatedTarget !== null) held.current = false
      }}
    >
      {pending ? (
        <Suspense fallback={<Skeleton className="h-40 rounded-lg" />}>
          <ApprovalQuestion approval={approval} call={call} />
        </Suspense>
      ) : (
        <ToolCall part={call} approval={approval} live={live} />
      )}
    </div>
  )
}
