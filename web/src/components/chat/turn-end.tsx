import { CircleAlert, CircleStop } from 'lucide-react'
import { useState } from 'react'
import type { AgentMessage, ChatProblem, TurnStatus } from '@/chat/types'
import { Button } from '@/components/ui/button'
import { words } from '@/words/en/chat'
import { words as common } from '@/words/en/common'
import { notifyError } from './use-chat-actions'

interface TurnEndProps {
  /** The last message. */
  message: AgentMessage | undefined
  endedAs: TurnStatus | null
  problem: ChatProblem | null
  onRetry: () => Promise<void>
}

/** A turn that did not come to its end: why, and the way on. */
export function TurnEnd({ message, endedAs, problem, onRetry }: TurnEndProps) {
  const [pending, setPending] = useState(false)
  const failed = problem ?? (message?.status === 'failed' ? (message.error ?? unknown()) : null)
  // Stopped before anybody spoke, no message shows it.
  const isUnanswered = endedAs === 'stopped' && message?.role === 'user'
  const stopped = failed === null && (message?.status === 'stopped' || isUnanswered)
  if (failed === null && !stopped) return null
  const canRetry = stopped || failed?.recoverable === true
  return (
    <div
      role={failed === null ? undefined : 'alert'}
      className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm sm:ml-11"
    >
      {failed === null ? (
        <p className="flex items-center gap-2 text-muted">
          <CircleStop aria-hidden className="size-4 shrink-0" />
          {words.stopped}
        </p>
      ) : (
        <p className="flex min-w-0 items-start gap-2 text-danger">
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span className="min-w-0 wrap-anywhere">{failed.message}</span>
        </p>
      )}
      {canRetry && (
        <Button
          size="sm"
          variant="secondary"
          pending={pending}
          onClick={() => {
            setPending(true)
            onRetry()
              .catch(notifyError)
              .finally(() => {
                setPending(false)
              })
          }}
        >
          {stopped ? words.continue : common.tryAgain}
        </Button>
      )}
    </div>
  )
}

function unknown(): ChatProblem {
  return { code: 'unknown', message: words.answerNotFinished, recoverable: true }
}
