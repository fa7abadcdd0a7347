import { Clock, ShieldAlert, ShieldCheck, ShieldX } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import type { ApprovalPart, ToolCallPart } from '@/chat/types'
import { ApprovalDecision } from '@/components/approvals/approval-decision'
import { ToolArguments } from '@/components/ui/named-values'
import { toolWords } from '@/lib/text'
import { ago, dateAndTime } from '@/lib/when'
import { useChatScene } from './chat-context'
import { ToolCall } from './tool-call'

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
      {pending ? <ApprovalQuestion approval={approval} call={call} /> : <ToolCall part={call} approval={approval} live={live} />}
    </div>
  )
}

interface ApprovalQuestionProps {
  approval: ApprovalPart
  /** The call that waits for the decision. */
  call: ToolCallPart
}

/** A tool that runs only if a person allows it. */
function ApprovalQuestion({ approval, call }: ApprovalQuestionProps) {
  const { actions } = useChatScene()
  const { expiresAt } = approval
  const { expired, words: expiry } = useExpiry(expiresAt)
  const headingId = useId()
  const name = toolWords(call.displayName ?? call.toolName)
  const shown = <ToolArguments label="It will run with" args={call.args} whole />
  return (
    <section aria-labelledby={headingId} className="grid gap-3 rounded-lg border border-warning/50 bg-warning-subtle/60 p-4">
      <div className="flex items-start gap-2 text-sm">
        <ShieldAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-warning" />
        <div className="min-w-0">
          <h3 id={headingId} className="font-semibold wrap-anywhere">
            {expired ? `${name} was not allowed in time` : `Allow ${name}?`}
          </h3>
          {expiresAt !== undefined && (
            <p className="text-xs text-muted">
              {expired ? 'Expired ' : 'Expires '}
              <time dateTime={expiresAt} title={dateAndTime(expiresAt)}>
                {expiry ?? ago(expiresAt)}
              </time>
            </p>
          )}
        </div>
      </div>
      {expired ? (
        shown
      ) : (
        <ApprovalDecision
          args={call.args}
          onApprove={(how) => actions.approve(approval, how)}
          onReject={(reason) => actions.reject(approval, reason)}
        >
          {shown}
        </ApprovalDecision>
      )}
    </section>
  )
}

const MINUTE = 60_000

/** Whether that moment has passed, and in how long it will; both also change while one is looking. */
function useExpiry(at: string | undefined): { expired: boolean; words: string | undefined } {
  const [now, setNow] = useState(() => Date.now())
  const left = at === undefined ? Infinity : new Date(at).getTime() - now
  useEffect(() => {
    if (!Number.isFinite(left) || left <= 0) return
    const timer = setTimeout(() => {
      setNow(Date.now())
    }, Math.min(left + 50, MINUTE))
    return () => {
      clearTimeout(timer)
    }
  }, [left])
  if (at === undefined || left <= 0) return { expired: left <= 0, words: undefined }
  return { expired: false, words: left < MINUTE ? 'in less than a minute' : ago(at, now) }
}

const WORDS = { approved: 'Approved', rejected: 'Rejected', expired: 'Not decided in time', cancelled: 'No longer needed' }

/** What became of a question, where it was asked: who decided, when and why. */
export function ApprovalRecord({ approval }: { approval: ApprovalPart }) {
  return approval.status === 'pending' ? null : <Record approval={approval} status={approval.status} />
}

function Record({ approval, status }: { approval: ApprovalPart; status: keyof typeof WORDS }) {
  const { decidedAt, reason } = approval
  const Icon = status === 'approved' ? ShieldCheck : status === 'rejected' ? ShieldX : Clock
  const byPerson = status === 'approved' || status === 'rejected'
  return (
    <div className="grid gap-0.5 border-t border-border px-3 py-1.5 text-xs text-muted">
      <p className="flex items-center gap-2">
        <Icon aria-hidden className="size-3.5 shrink-0" />
        <span className="min-w-0 truncate">
          {WORDS[status]}
          {byPerson && approval.by !== undefined && ` by ${approval.by}`}
        </span>
        {decidedAt !== undefined && (
          <time dateTime={decidedAt} title={dateAndTime(decidedAt)} className="shrink-0">
            {ago(decidedAt)}
          </time>
        )}
      </p>
      {reason !== undefined && <p className="line-clamp-3 pl-5.5 wrap-anywhere">Reason: {reason}</p>}
    </div>
  )
}
