import { useUnreadMentions } from '@/hooks/use-channels'
import { words } from '@/words/en/data-navigation'

/** How many mentions the person has not read; nothing if they have read all. */
export default function MentionsBadge() {
  const unread = useUnreadMentions() ?? 0
  if (unread === 0) return null
  return (
    <span className="min-w-5 rounded-full bg-danger-solid px-1.5 text-center text-xs leading-5 font-semibold text-white">
      {unread > 99 ? '99+' : unread}
      <span className="sr-only"> {words.unreadMentions}</span>
    </span>
  )
}
