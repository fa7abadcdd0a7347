import { CircleAlert, CircleStop } from 'lucide-react'
import type { AgentMessage } from '@/chat/types'

/** That an earlier answer did not come to its end. Under the last one, the end of the turn says more. */
export function CutNote({ message }: { message: AgentMessage }) {
  if (message.status !== 'stopped' && message.status !== 'failed') return null
  const Icon = message.status === 'stopped' ? CircleStop : CircleAlert
  return (
    <p className="flex items-start gap-2 text-sm text-muted">
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span className="min-w-0 wrap-anywhere">
        {message.status === 'stopped' ? 'Stopped' : (message.error?.message ?? 'The answer could not be finished.')}
      </span>
    </p>
  )
}
