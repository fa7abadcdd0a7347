import { useId, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Textarea } from '@/components/ui/textarea'

interface RejectFormProps {
  pending: boolean
  onReject: (reason: string | undefined) => void
  onCancel: () => void
}

/** Why not, in words that the agent is told. */
export function RejectForm({ pending, onReject, onCancel }: RejectFormProps) {
  const id = useId()
  const [reason, setReason] = useState('')
  return (
    <div className="grid gap-2">
      <label htmlFor={id} className="text-sm font-medium">
        Reason <span className="font-normal text-muted">(optional, the agent is told)</span>
      </label>
      <Textarea
        id={id}
        autoFocus
        maxLength={2_000}
        className="min-h-16"
        value={reason}
        onChange={(event) => {
          setReason(event.target.value)
        }}
      />
      <div className="flex flex-wrap gap-2">
        <Button
          size="sm"
          variant="danger"
          pending={pending}
          onClick={() => {
            onReject(reason.trim() === '' ? undefined : reason.trim())
          }}
        >
          Reject
        </Button>
        <Button size="sm" variant="ghost" onClick={onCancel}>
          Back
        </Button>
      </div>
    </div>
  )
}
