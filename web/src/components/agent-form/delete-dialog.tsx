import { useMutation } from '@tanstack/react-query'
import { messageOf } from '@/api/errors'
import { Alert } from '../ui/alert'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'

interface DeleteDialogProps {
  title: string
  description: string
  /** The word on the button. */
  action?: string
  opener: HTMLElement | null
  onDelete: () => Promise<unknown>
  onClose: () => void
}

/** Asks before something is gone for good. */
export function DeleteDialog({ title, description, action = 'Delete', opener, onDelete, onClose }: DeleteDialogProps) {
  const remove = useMutation({ mutationFn: onDelete, onSuccess: onClose })
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
          <Button
            variant="danger"
            pending={remove.isPending}
            onClick={() => {
              remove.mutate()
            }}
          >
            {action}
          </Button>
        </>
      }
    >
      {remove.isError && <Alert>{messageOf(remove.error)}</Alert>}
    </Dialog>
  )
}
