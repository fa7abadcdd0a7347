import { Clock, ShieldCheck, ShieldX } from 'lucide-react'
import { lazy, Suspense, useEffect, useRef } from 'react'
import type { ApprovalPart, ToolCallPart } from '@/chat/types'
import { Skeleton } from '@/components/ui/skeleton'
import { ago, dateAndTime } from '@/lib/when'
import { words } from '@/words/en/chat'
import { say } from '@/words/say'
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

/** What became of a question, where it was asked: who decided, when and why. */
export function ApprovalRecord({ approval }: { approval: ApprovalPart }) {
  return approval.status === 'pending' ? null : <Record approval={approval} status={approval.status} />
}

function Record({ approval, status }: { approval: ApprovalPart; status: keyof typeof words.decided }) {
  const { decidedAt, reason } = approval
  const Icon = status === 'approved' ? ShieldCheck : status === 'rejected' ? ShieldX : Clock
  const byPerson = status === 'approved' || status === 'rejected'
  return (
    <div className="grid gap-0.5 border-t border-border px-3 py-1.5 text-xs text-muted">
      <p className="flex items-center gap-2">
        <Icon aria-hidden className="size-3.5 shrink-0" />
        <span className="min-w-0 truncate">
          {byPerson && approval.by !== undefined ? say(words.decidedBy[status], { by: approval.by }) : words.decided[status]}
        </span>
        {decidedAt !== undefined && (
          <time dateTime={decidedAt} title={dateAndTime(decidedAt)} className="shrink-0">
            {ago(decidedAt)}
          </time>
        )}
      </p>
      {reason !== undefined && <p className="line-clamp-3 pl-5.5 wrap-anywhere">{say(words.reason, { reason })}</p>}
    </div>
  )
}
