// The messages of a channel or of a thread, as they are on the server: loading, empty, failed, live. What is on show counts as read.
import { type ReactNode, useEffect, useState } from 'react'
import type { Channel, ChannelMessage } from '@/api/types'
import { EmptyState } from '@/components/ui/empty-state'
import { ErrorState } from '@/components/ui/error-state'
import { Skeleton } from '@/components/ui/skeleton'
import { markRead, useChannelMessages, useRefreshMentions } from '@/hooks/use-channels'
import { words } from '@/words/en/channels'
import { say } from '@/words/say'
import { MessageList } from './message-list'

interface MessagesProps {
  channel: Channel
  threadId?: string
  /** The number of the message that was looked for. */
  at?: number
  mayWrite: boolean
  onThread?: (message: ChannelMessage) => void
  /** Above the first message. */
  children?: ReactNode
}

export function Messages({ channel, threadId, at, mayWrite, onThread, children }: MessagesProps) {
  const query = useChannelMessages({ channelId: channel.id, threadId, at })
  const { data: messages, hasNextPage, isFetchingNextPage, fetchNextPage } = query
  // As it was when the channel was opened: the line stays where it is while one reads.
  const [readNumber] = useState(channel.read_number)
  const newest = messages?.at(-1)?.number
  const isAtEnd = !hasNextPage
  // What is written while one looks at the end comes in by itself.
  useEffect(() => {
    if (at === undefined && hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [at, hasNextPage, isFetchingNextPage, fetchNextPage])
  useReading(channel, threadId, isAtEnd ? newest : undefined)
  if (messages === undefined) {
    if (query.error !== null) {
      return <ErrorState title={words.messagesNotLoaded} error={query.error} retrying={query.isFetching} onRetry={() => void query.refetch()} />
    }
    return (
      <div role="status" className="grid grow content-end gap-4 p-2">
        <span className="sr-only">{words.loadingMessages}</span>
        <Skeleton className="h-12 w-3/4" />
        <Skeleton className="h-12 w-1/2" />
        <Skeleton className="h-12 w-2/3" />
      </div>
    )
  }
  if (messages.length === 0 && threadId === undefined) {
    return (
      <div className="grid min-h-0 grow content-center overflow-y-auto">
        <EmptyState title={words.noMessagesYet}>{mayWrite && words.noMessagesHint}</EmptyState>
      </div>
    )
  }
  return (
    <MessageList
      label={threadId === undefined ? say(words.messagesOf, { channel: channel.name }) : words.thread}
      messages={messages}
      earlier={{ isThere: query.hasPreviousPage, isLoading: query.isFetchingPreviousPage, load: () => void query.fetchPreviousPage() }}
      later={{ isThere: hasNextPage, isLoading: isFetchingNextPage, load: () => void fetchNextPage() }}
      readNumber={threadId === undefined ? (readNumber ?? undefined) : undefined}
      at={at}
      mayWrite={mayWrite}
      onThread={onThread}
    >
      {children}
    </MessageList>
  )
}

/** Tells the server how far the person has read, while they look. */
function useReading({ id }: Channel, threadId: string | undefined, newest: number | undefined): void {
  const refresh = useRefreshMentions()
  useEffect(() => {
    if (newest === undefined) return
    const read = () => {
      if (document.visibilityState !== 'visible') return
      // It is said again with the next message, or when the page is looked at again.
      markRead(id, threadId, newest).then(refresh, () => undefined)
    }
    read()
    document.addEventListener('visibilitychange', read)
    return () => {
      document.removeEventListener('visibilitychange', read)
    }
  }, [id, threadId, newest, refresh])
}
