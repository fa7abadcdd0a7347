import { Button } from '@/components/ui/button'

/** Where more would have come. */
export function NotLoaded({ onRetry }: { onRetry: () => void }) {
  return (
    <p role="alert" className="flex items-center justify-center gap-1 text-sm text-muted">
      Could not be loaded ·
      <Button variant="ghost" size="sm" onClick={onRetry}>
        Try again
      </Button>
    </p>
  )
}
