import { CloudOff } from 'lucide-react'
import { messageOf } from '@/api/errors'
import { words } from '@/words/en/common'
import { Button } from './button'
import { EmptyState } from './empty-state'

interface ErrorStateProps {
  title: string
  /** `h1` where this is the whole page. */
  heading?: 'h1' | 'h2'
  error: unknown
  onRetry: () => void
  retrying: boolean
}

/** Something could not be loaded, and can be tried again. */
export function ErrorState({ title, heading, error, onRetry, retrying }: ErrorStateProps) {
  return (
    <div role="alert">
      <EmptyState
        icon={<CloudOff className="size-6" />}
        title={title}
        heading={heading}
        action={
          <Button variant="secondary" pending={retrying} onClick={onRetry}>
            {words.tryAgain}
          </Button>
        }
      >
        {messageOf(error)}
      </EmptyState>
    </div>
  )
}
