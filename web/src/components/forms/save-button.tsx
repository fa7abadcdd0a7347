import { Button } from '@/components/ui/button'

interface SaveButtonProps {
  isDirty: boolean
  pending: boolean
  label?: string
}

/** Ends a form. It stays in place when there is nothing to save, so that the page doesn't jump. */
export function SaveButton({ isDirty, pending, label = 'Save' }: SaveButtonProps) {
  return (
    <div className="flex">
      <Button type="submit" pending={pending} disabled={!isDirty && !pending}>
        {label}
      </Button>
    </div>
  )
}
