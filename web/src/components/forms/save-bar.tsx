import { useEffect } from 'react'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { words } from '@/words/en/forms'

interface SaveBarProps {
  /** The id of the form that it saves. */
  form: string
  pending: boolean
  onDiscard: () => void
}

/** Stays in sight while there is something to save. */
export function SaveBar({ form, pending, onDiscard }: SaveBarProps) {
  useEffect(
    () => () => {
      // What had the focus is gone with the bar.
      requestAnimationFrame(() => {
        if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true })
      })
    },
    [],
  )
  return (
    <div
      role="region"
      aria-label={words.unsavedChanges}
      className="sticky bottom-[max(1rem,env(safe-area-inset-bottom))] z-30 mt-6 flex animate-rise-in items-center justify-between gap-3 rounded-xl border border-border bg-surface py-2.5 pr-2.5 pl-4 shadow-float"
    >
      <p className="min-w-0 truncate text-sm font-medium">{words.unsavedChanges}</p>
      <div className="flex shrink-0 gap-2">
        <Button variant="ghost" onClick={onDiscard} disabled={pending}>
          {words.discard}
        </Button>
        <Button type="submit" form={form} pending={pending}>
          {words.save}
        </Button>
      </div>
    </div>
  )
}

interface SaveButtonProps {
  isDirty: boolean
  pending: boolean
  label?: string
}

/** Ends a form. It stays in place when there is nothing to save, so that the page doesn't jump. */
export function SaveButton({ isDirty, pending, label = words.save }: SaveButtonProps) {
  return (
    <div className="flex">
      <Button type="submit" pending={pending} disabled={!isDirty && !pending}>
        {label}
      </Button>
    </div>
  )
}

/** Asks before unsaved changes are lost. */
export function LeaveDialog({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  return (
    <ConfirmDialog
      opener={null}
      title={words.leaveWithoutSaving}
      description={words.leaveWithoutSavingDescription}
      cancel={words.stayHere}
      action={words.leave}
      onClose={onStay}
      onConfirm={onLeave}
    />
  )
}
