import { type MouseEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import type { Decision } from '@/api/approvals'
import type { Approval } from '@/api/types'
import { Button } from '@/components/ui/button'
import { useDecideApproval } from '@/hooks/use-decide-approval'
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
  const decided = useRef(false)
  const buttons = useHandOnFocus(decided)
  const settle = (decision: Decision) => {
    decided.current = true
    decide.mutate({ approval, decision })
  }
  const reject = (reason?: string) => {
    settle({ kind: 'reject', reason })
  }
  return (
    <div ref={buttons} className="flex shrink-0 gap-2">
      <Button
        variant="secondary"
        size="sm"
        aria-label={`Reject: ${subject}`}
        onClick={(event) => {
          if (isSecondOfDouble(event)) return
          if (asksReason) setOpener(event.currentTarget)
          else reject()
        }}
      >
        Reject
      </Button>
      <Button
        size="sm"
        aria-label={`Approve: ${subject}`}
        onClick={(event) => {
          if (!isSecondOfDouble(event)) settle({ kind: 'approve' })
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

/** Deciding brings the next item to where the pointer is: the second click of a double click was not meant for it. */
function isSecondOfDouble({ detail }: MouseEvent): boolean {
  return detail > 1
}

/**
 * Deciding takes the item away, and the focus with it: it goes to the next item, or else to the page's heading.
 * A dialog that asked first gives the focus back at about the same time, before or after.
 */
function useHandOnFocus(decided: RefObject<boolean>) {
  const ref = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const buttons = ref.current
    const byThisPerson = () => decided.current
    return () => {
      if (!byThisPerson() && !buttons?.contains(document.activeElement)) return
      const item = buttons?.closest('li')
      const next = item?.nextElementSibling ?? item?.previousElementSibling
      requestAnimationFrame(() => {
        const target = next?.isConnected ? next : document.querySelector('main h1')
        const focused = document.activeElement
        const nowhere = focused === document.body || focused === document.getElementById('main')
        if (!(target instanceof HTMLElement) || !nowhere) return
        target.tabIndex = -1
        target.focus()
      })
    }
  }, [decided])
  return ref
}
