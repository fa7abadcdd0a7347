import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Field } from '@/components/ui/field'

interface RejectDialogProps {
  subject: string
  opener: HTMLElement | null
  onClose: () => void
  onReject: (reason: string | undefined) => void
}

export function RejectDialog({ subject, opener, onClose, onReject }: RejectDialogProps) {
  const [reason, setReason] = useState('')
  const reject = () => {
    onClose()
    onReject(reason.trim() || undefined)
  }
  return (
    <Dialog
      opener={opener}
      onClose={onClose}
      title="Reject this tool call?"
      description={`${subject}. The tool does not run, and the agent goes on without it.`}
      actions={
        <>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button variant="danger" onClick={reject}>
            Reject
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          reject()
        }}
      >
        <Field
          label="Reason (optional)"
          name="reason"
          hint="The agent is told this."
          maxLength={2000}
          autoComplete="off"
          value={reason}
          onChange={(event) => {
            setReason(event.target.value)
          }}
        />
      </form>
    </Dialog>
  )
}
