import { words } from '@/words/en/channels'
import { say } from '@/words/say'

interface UnreadBadgeProps {
  unread: number
  mentions: number
}

/** How much of a channel is not read; mentions count for more. Nothing if all is. */
export function UnreadBadge({ unread, mentions }: UnreadBadgeProps) {
  const count = mentions > 0 ? mentions : unread
  if (count === 0) return null
  const color = mentions > 0 ? 'bg-danger-solid text-white' : 'bg-brand-subtle text-brand'
  return (
    <span className={`min-w-5 shrink-0 rounded-full px-1.5 text-center text-xs leading-5 font-semibold ${color}`}>
      <span aria-hidden>{count > 99 ? '99+' : count}</span>
      <span className="sr-only">{say(mentions > 0 ? words.unreadMentions : words.unreadMessages, { count })}</span>
    </span>
  )
}
