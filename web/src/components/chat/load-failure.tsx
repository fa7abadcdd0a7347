import { MessageCircleOff } from 'lucide-react'
import { isGone } from '@/api/errors'
import type { UseAgentChatReturn } from '@/chat/types'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { ErrorState } from '@/components/ui/error-state'

interface LoadFailureProps {
  chat: UseAgentChatReturn
  onNew: () => void
}

/** Stands in place of a conversation that could not be read, or was deleted, perhaps while it was open here. */
export function LoadFailure({ chat, onNew }: LoadFailureProps) {
  const { loadError, isLoading, reload } = chat
  if (!isGone(loadError)) {
    return <ErrorState title="The conversation could not be loaded" error={loadError} onRetry={reload} retrying={isLoading} />
  }
  return (
    <div role="alert">
      <EmptyState
        icon={<MessageCircleOff className="size-6" />}
        title="This conversation is not there any more"
        action={<Button onClick={onNew}>New conversation</Button>}
      >
        It was deleted, or belongs to someone else.
      </EmptyState>
    </div>
  )
}
