import { useState } from 'react'
import type { Approval } from '@/api/types'
import { useDecideApproval } from '@/hooks/use-decide-approval'
import { Button } from '../ui/button'
import { RejectDialog } from './reject-dialog'

interface ApprovalButtonsProps {
  approval: Approval
  /** Whom it is about, for readers: a page has many of these. */
  subject: string
  /** Whether rejecting asks for a reason first. */
  asksReason?: boolean
}

export function ApprovalButtons({ approval, subject, asksReason = false }: ApprovalButtonsProps) {
  const decide = useDecideApproval()
  const [opener, setOpener] = useState<HTMLElement | null>(null)
  const reject = (reason?: string) => {
    decide.mutate({ approval, decision: { kind: 'reject', reason } })
  }
  return (
    <div className="flex shrink-0 gap-2">
      <Button
        variant="secondary"
        size="sm"
        aria-label={`Reject: ${subject}`}
        onClick={(event) => {
          if (asksReason) setOpener(event.currentTarget)
          else reject()
        }}
      >
        Reject
      </Button>
      <Button
        size="sm"
        aria-label={`Approve: ${subject}`}
        onClick={() => {
          decide.mutate({ approval, decision: { kind: 'approve' } })
        }}
      >
        Approve
      </Button>
      {opener !== null && (
        <RejectDialog
          subject={subject}
          opener={opener}
          onClose={() => {
            setOpener(null)
          }}
          onReject={reject}
        />
      )}
    </div>
  )
}
