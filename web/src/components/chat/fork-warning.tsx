import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'

interface ForkWarningProps {
  opener: HTMLElement | null
  onConfirm: () => void
  onClose: () => void
}

/** Another version forgets what was said, but not what was done. */
export function ForkWarning({ opener, onConfirm, onClose }: ForkWarningProps) {
  return (
    <Dialog
      role="alertdialog"
      opener={opener}
      onClose={onClose}
      title="Tools have changed things since"
      description="A new version leaves those messages behind, but what the tools changed stays changed, and may be done again."
      actions={
        <>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button onClick={onConfirm}>Make a new version</Button>
        </>
      }
    />
  )
}
