import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '@/api/errors'
import { Alert } from '../ui/alert'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { TextField } from '../ui/text-field'

interface ConfirmDialogProps {
  title: string
  description: string
  /** What must be typed before the button does anything. */
  phrase: string
  action: string
  opener: HTMLElement | null
  onConfirm: () => Promise<void>
  onClose: () => void
}

/** Asks twice before something large is gone for good. */
export function ConfirmDialog({ title, description, phrase, action, opener, onConfirm, onClose }: ConfirmDialogProps) {
  const [typed, setTyped] = useState('')
  const confirm = useMutation({ mutationFn: onConfirm })
  const isTyped = typed.trim() === phrase
  return (
    <Dialog
      role="alertdialog"
      opener={opener}
      onClose={onClose}
      title={title}
      description={description}
      actions={
        <>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form="confirm" variant="danger" pending={confirm.isPending} disabled={!isTyped}>
            {action}
          </Button>
        </>
      }
    >
      <form
        id="confirm"
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (isTyped && !confirm.isPending) confirm.mutate()
        }}
      >
        <TextField
          label={`Type “${phrase}” to confirm`}
          value={typed}
          autoComplete="off"
          spellCheck={false}
          onChange={setTyped}
        />
        {confirm.isError && <Alert>{messageOf(confirm.error)}</Alert>}
      </form>
    </Dialog>
  )
}
