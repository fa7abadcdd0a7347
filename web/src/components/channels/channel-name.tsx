import { Hash, Lock, MessageCircle } from 'lucide-react'
import type { Channel } from '@/api/types'
import { words } from '@/words/en/channels'

interface ChannelNameProps {
  kind: Channel['kind']
  name: string
}

/** A channel's name with the sign of who may read it. */
export function ChannelName({ kind, name }: ChannelNameProps) {
  const Icon = { open: Hash, private: Lock, direct: MessageCircle }[kind]
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <Icon aria-hidden className="size-3.5 shrink-0 text-muted" />
      {kind === 'private' && <span className="sr-only">{words.privateChannel}</span>}
      <span dir="auto" className="min-w-0 truncate">{name === '' ? words.someoneWhoLeft : name}</span>
    </span>
  )
}
