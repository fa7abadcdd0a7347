import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'

/** Asks before unsaved changes are lost. */
export function LeaveDialog({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  return (
    <Dialog
      role="alertdialog"
      opener={null}
      onClose={onStay}
      title="Leave without saving?"
      description="What you changed on this page is not saved."
      actions={
        <>
          <Button variant="secondary" onClick={onStay}>
            Stay here
          </Button>
          <Button variant="danger" onClick={onLeave}>
            Leave
          </Button>
        </>
      }
    />
  )
}
