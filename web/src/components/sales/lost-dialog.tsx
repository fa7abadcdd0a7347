import { ReasonDialog } from '@/components/data/reason-dialog'
import type { Opener } from '@/components/ui/dialog'
import { words } from '@/words/en/sales'
import { say } from '@/words/say'

interface LostDialogProps {
  name: string
  opener: Opener
  /** Undefined: it is not lost after all. */
  onAnswer: (fields: { lost_reason: string | null } | undefined) => void
}

/** Asks why a deal is lost. */
export function LostDialog({ name, opener, onAnswer }: LostDialogProps) {
  return (
    <ReasonDialog
      title={say(words.lostTitle, { name })}
      description={words.lostDescription}
      usual={Object.values(words.reasons)}
      confirm={words.markAsLost}
      opener={opener}
      onAnswer={(reason) => {
        onAnswer(reason === undefined ? undefined : { lost_reason: reason === '' ? null : reason })
      }}
    />
  )
}
