// A message with its replies, beside the channel; on a phone in its place.
import { X } from 'lucide-react'
import type { Channel } from '@/api/types'
import { ErrorState } from '@/components/ui/error-state'
import { IconButton } from '@/components/ui/icon-button'
import { Skeleton } from '@/components/ui/skeleton'
import { sendMessage, useChannelMessage, useRefreshChannels } from '@/hooks/use-channels'
import { words } from '@/words/en/channels'
import { ChannelName } from './channel-name'
import { MessageComposer } from './message-composer'
import { MessageRow } from './message-row'
import { Messages } from './messages'

interface ThreadPanelProps {
  channel: Channel
  threadId: string
  mayWrite: boolean
  onClose: () => void
}

export function ThreadPanel({ channel, threadId, mayWrite, onClose }: ThreadPanelProps) {
  const root = useChannelMessage(channel.id, threadId)
  const refresh = useRefreshChannels()
  return (
    <aside aria-label={words.thread} className="flex min-h-0 min-w-0 flex-col border-border md:border-l md:pl-4">
      <header className="mb-2 flex items-center justify-between">
        <div className="min-w-0">
          {/* On a phone the channel with its own heading is not there. */}
          <h1 className="text-sm text-muted md:hidden">
            <ChannelName kind={channel.kind} name={channel.name} />
          </h1>
          <h2 className="text-base font-semibold">{words.thread}</h2>
        </div>
        <IconButton label={words.closeThread} onClick={onClose}>
          <X aria-hidden className="size-4" />
        </IconButton>
      </header>
      {root.data === undefined ? (
        root.error === null ? (
          <div role="status" className="grow">
            <span className="sr-only">{words.loadingMessages}</span>
            <Skeleton className="h-16 w-full" />
          </div>
        ) : (
          <ErrorState title={words.messagesNotLoaded} error={root.error} retrying={root.isFetching} onRetry={() => void root.refetch()} />
        )
      ) : (
        <>
          <Messages key={threadId} channel={channel} threadId={threadId} mayWrite={mayWrite}>
            <div className="border-b border-border pb-2">
              <MessageRow message={root.data} mayWrite={mayWrite} />
            </div>
            {root.data.replies === 0 && <p className="px-2 py-3 text-sm text-muted">{words.noRepliesYet}</p>}
          </Messages>
          {mayWrite && root.data.deleted_at === null && (
            <div className="pt-2">
              <MessageComposer
                key={threadId}
                label={words.writeReply}
                isFocused
                onSend={async (text, key) => {
                  await sendMessage({ channelId: channel.id, threadId, text, key })
                  void refresh()
                }}
              />
            </div>
          )}
        </>
      )}
    </aside>
  )
}
