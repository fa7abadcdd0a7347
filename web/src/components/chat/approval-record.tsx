import { Clock, ShieldCheck, ShieldX } from 'lucide-react'
import type { ApprovalPart } from '@/chat/types'
import { ago, dateAndTime } from '@/lib/when'
import { words } from '@/words/en/chat'
import { say } from '@/words/say'

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
