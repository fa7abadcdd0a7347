import { CloudOff } from 'lucide-react'
import type { UseAgentChatReturn } from '@/chat/types'
import { Spinner } from '@/components/ui/spinner'

/** Shown while what happens on the server can't be seen. */
export function ConnectionBanner({ connection }: { connection: UseAgentChatReturn['connection'] }) {
  if (connection === 'online') return null
  return (
    <div data-connection className="flex items-center justify-center gap-2 border-b border-border bg-warning-subtle px-4 py-1.5 text-sm text-warning">
      {connection === 'offline' ? <CloudOff aria-hidden className="size-4" /> : <Spinner />}
      {connection === 'offline' ? 'You are offline. What you write is kept.' : 'Reconnecting…'}
    </div>
  )
}
