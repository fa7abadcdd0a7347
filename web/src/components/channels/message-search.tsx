// Messages that have the words someone looks for, the newest first.
import { Search } from 'lucide-react'
import { Link } from 'wouter'
import type { FoundChannelMessage } from '@/api/types'
import { EmptyState } from '@/components/ui/empty-state'
import { ErrorState } from '@/components/ui/error-state'
import { Skeleton } from '@/components/ui/skeleton'
import { useDebouncedValue } from '@/hooks/use-browser'
import { MOST_FOUND, useMessageSearch } from '@/hooks/use-channels'
import { messagePath } from '@/lib/paths'
import { dateAndTime } from '@/lib/when'
import { words } from '@/words/en/channels'
import { say } from '@/words/say'
import { ChannelName } from './channel-name'

interface MessageSearchProps {
  search: string
  onOpen: () => void
}

export function MessageSearch({ search, onOpen }: MessageSearchProps) {
  const { data, error, isFetching, refetch } = useMessageSearch(useDebouncedValue(search))
  if (data === undefined) {
    if (error !== null) return <ErrorState title={words.messagesNotLoaded} error={error} retrying={isFetching} onRetry={() => void refetch()} />
    return (
      <div role="status" className="grid gap-3">
        <span className="sr-only">{words.searching}</span>
        <Skeleton className="h-16 w-full" />
        <Skeleton className="h-16 w-full" />
      </div>
    )
  }
  const count = data.messages.length
  if (count === 0) {
    return (
      <div role="status">
        <EmptyState icon={<Search className="size-6" />} title={words.nothingFound}>
          {words.nothingFoundHint}
        </EmptyState>
      </div>
    )
  }
  return (
    <section aria-label={words.searchMessages}>
      <p role="status" className="mb-2 text-sm text-muted">
        {count < MOST_FOUND ? say(words.foundMessages, { count }) : say(words.foundMore, { count })}
      </p>
      <ul className="grid gap-1">
        {data.messages.map((found) => (
          <li key={found.message.id}>
            <Found found={found} onOpen={onOpen} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Found({ found: { channel, message, snippet }, onOpen }: { found: FoundChannelMessage; onOpen: () => void }) {
  return (
    <Link to={messagePath(message)} className="grid gap-0.5 rounded-lg px-3 py-2 hover:bg-subtle" onClick={onOpen}>
      <span className="flex flex-wrap items-center gap-x-2 text-xs text-muted">
        <span dir="auto" className="font-semibold text-foreground">{message.agent ?? message.author ?? words.someoneWhoLeft}</span>
        <ChannelName kind={channel.kind} name={channel.name} />
        <time dateTime={message.created_at}>{dateAndTime(message.created_at)}</time>
      </span>
      <span dir="auto" className="text-sm wrap-anywhere">
        {snippet.map(({ text, is_hit: isHit }, index) => (isHit ? <mark key={index} className="rounded-sm bg-warning-subtle text-foreground">{text}</mark> : text))}
      </span>
    </Link>
  )
}
