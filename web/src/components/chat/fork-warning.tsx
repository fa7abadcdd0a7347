import { ConfirmDialog } from '@/components/ui/confirm-dialog'

interface ForkWarningProps {
  opener: HTMLElement | null
  onConfirm: () => void
  onClose: () => void
}

/** Another version forgets what was said, but not what was done. */
export function ForkWarning({ opener, onConfirm, onClose }: ForkWarningProps) {
  return (
    <ConfirmDialog
      tone="primary"
      opener={opener}
      title="Tools have changed things since"
      description="A new version leaves those messages behind, but what the tools changed stays changed, and may be done again."
      action="Make a new version"
      onConfirm={onConfirm}
      onClose={onClose}
    />
  )
}
