// Messages that name the person, and replies in threads they wrote in.
import { AtSign } from 'lucide-react'
import { Link } from 'wouter'
import type { ChannelMention } from '@/api/types'
import { Badge } from '@/components/ui/badge'
import { EmptyState } from '@/components/ui/empty-state'
import { ErrorState } from '@/components/ui/error-state'
import { Skeleton } from '@/components/ui/skeleton'
import { useMentions } from '@/hooks/use-channels'
import { usePageTitle } from '@/hooks/use-browser'
import { messagePath } from '@/lib/paths'
import { dateAndTime } from '@/lib/when'
import { words } from '@/words/en/channels'
import { ChannelName } from './channel-name'
import { toTyped } from './mention-query'

export function MentionList() {
  usePageTitle(words.mentions)
  const { data, error, isFetching, refetch } = useMentions()
  if (data === undefined) {
    if (error !== null) return <ErrorState heading="h1" title={words.mentionsNotLoaded} error={error} retrying={isFetching} onRetry={() => void refetch()} />
    return (
      <div role="status" className="grid gap-3">
        <span className="sr-only">{words.loadingMentions}</span>
        <Skeleton className="h-16 w-full" />
        <Skeleton className="h-16 w-full" />
      </div>
    )
  }
  if (data.mentions.length === 0) {
    return (
      <EmptyState heading="h1" icon={<AtSign className="size-6" />} title={words.noMentionsYet}>
        {words.noMentionsHint}
      </EmptyState>
    )
  }
  return (
    <section aria-labelledby="mentions" className="h-full overflow-y-auto">
      <h1 id="mentions" className="mb-2 text-base font-semibold">{words.mentions}</h1>
      <ul className="grid gap-1">
        {data.mentions.map((mention) => (
          <li key={mention.message.id}>
            <Entry mention={mention} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Entry({ mention: { channel, message, reason, is_read: isRead } }: { mention: ChannelMention }) {
  return (
    <Link to={messagePath(message)} className="grid gap-0.5 rounded-lg px-3 py-2 hover:bg-subtle">
      <span className="flex flex-wrap items-center gap-x-2 text-xs text-muted">
        <span className="font-semibold text-foreground">{message.agent ?? message.author ?? words.someoneWhoLeft}</span>
        <span>{reason === 'named' ? words.namedYou : words.repliedToYou}</span>
        <ChannelName kind={channel.kind} name={channel.name} />
        <time dateTime={message.created_at}>{dateAndTime(message.created_at)}</time>
        {!isRead && <Badge tone="danger">{words.unread}</Badge>}
      </span>
      <span dir="auto" className="line-clamp-3 text-sm wrap-anywhere">{toTyped(message.text).text}</span>
    </Link>
  )
}
