import { CloudOff } from 'lucide-react'
import { messageOf } from '@/api/errors'
import { EmptyState } from './empty-state'
import { Button } from './ui/button'

interface ErrorStateProps {
  title: string
  error: unknown
  onRetry: () => void
  retrying: boolean
}

/** Something could not be loaded, and can be tried again. */
export function ErrorState({ title, error, onRetry, retrying }: ErrorStateProps) {
  return (
    <div role="alert">
      <EmptyState
        icon={<CloudOff className="size-6" />}
        title={title}
        action={
          <Button variant="secondary" pending={retrying} onClick={onRetry}>
            Try again
          </Button>
        }
      >
        {messageOf(error)}
      </EmptyState>
    </div>
  )
}
