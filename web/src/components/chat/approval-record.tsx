import { Clock, ShieldCheck, ShieldX } from 'lucide-react'
import type { ApprovalPart } from '@/chat/types'

const WORDS = { approved: 'Approved', rejected: 'Rejected', expired: 'Not decided in time', cancelled: 'No longer needed' }

/** What became of a question, where it was asked. */
export function ApprovalRecord({ approval }: { approval: ApprovalPart }) {
  if (approval.status === 'pending') return null
  const Icon = approval.status === 'approved' ? ShieldCheck : approval.status === 'rejected' ? ShieldX : Clock
  const byPerson = approval.status === 'approved' || approval.status === 'rejected'
  return (
    <p className="flex items-center gap-2 border-t border-border px-3 py-1.5 text-xs text-muted">
      <Icon aria-hidden className="size-3.5 shrink-0" />
      <span className="min-w-0 truncate">
        {WORDS[approval.status]}
        {byPerson && approval.by !== undefined && ` by ${approval.by}`}
      </span>
    </p>
  )
}
