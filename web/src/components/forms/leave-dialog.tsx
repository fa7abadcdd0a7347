import { ConfirmDialog } from '@/components/ui/confirm-dialog'

/** Asks before unsaved changes are lost. */
export function LeaveDialog({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  return (
    <ConfirmDialog
      opener={null}
      title="Leave without saving?"
      description="What you changed on this page is not saved."
      cancel="Stay here"
      action="Leave"
      onClose={onStay}
      onConfirm={onLeave}
    />
  )
}
