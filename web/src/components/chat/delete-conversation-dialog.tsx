import { messageOf } from '@/api/errors'
import type { Conversation } from '@/api/types'
import { useDeleteConversation } from '@/hooks/use-conversation-history'
import { Alert } from '../ui/alert'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'

interface DeleteConversationDialogProps {
  conversation: Conversation
  opener: HTMLElement | null
  onClose: () => void
  onDeleted: () => void
}

export function DeleteConversationDialog({ conversation, opener, onClose, onDeleted }: DeleteConversationDialogProps) {
  const remove = useDeleteConversation(conversation.workspace_id)
  return (
    <Dialog
      role="alertdialog"
      opener={opener}
      onClose={onClose}
      title="Delete this conversation?"
      description={`“${conversation.title ?? 'Untitled conversation'}” and everything said in it is gone for good.`}
      actions={
        <>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button
            variant="danger"
            pending={remove.isPending}
            onClick={() => {
              remove.mutate(conversation.id, { onSuccess: onDeleted })
            }}
          >
            Delete
          </Button>
        </>
      }
    >
      {remove.isError && <Alert>{messageOf(remove.error)}</Alert>}
    </Dialog>
  )
}
