import { useId, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog, type Opener } from '@/components/ui/dialog'
import { TextField } from '@/components/ui/fields'
import { words as common } from '@/words/en/common'
import { words } from '@/words/en/data'

interface ReasonDialogProps {
  title: string
  description: string
  /** Reasons that people often have. */
  usual: readonly string[]
  /** The button that says so. */
  confirm: string
  opener: Opener
  /** Undefined: it is not meant after all. */
  onAnswer: (reason: string | undefined) => void
}

/** Asks why something is as it is now. Nobody has to know: the reason may stay empty. */
export function ReasonDialog({ title, description, usual, confirm, opener, onAnswer }: ReasonDialogProps) {
  const [reason, setReason] = useState('')
  const formId = useId()
  return (
    <Dialog
      title={title}
      description={description}
      opener={opener}
      onClose={() => {
        onAnswer(undefined)
      }}
      actions={
        <>
          <Button
            variant="secondary"
            onClick={() => {
              onAnswer(undefined)
            }}
          >
            {common.cancel}
          </Button>
          <Button type="submit" form={formId}>
            {confirm}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          onAnswer(reason.trim())
        }}
      >
        <TextField label={words.reason} value={reason} onChange={setReason} maxLength={500} autoFocus />
        <div className="flex flex-wrap gap-2">
          {usual.map((one) => (
            <Button
              key={one}
              size="sm"
              variant="secondary"
              aria-pressed={reason === one}
              onClick={() => {
                setReason(one)
              }}
            >
              {one}
            </Button>
          ))}
        </div>
      </form>
    </Dialog>
  )
}
