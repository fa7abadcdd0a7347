// Says it wherever the person is when somebody mentions them: the number in the navigation is not seen on a phone.
import { useEffect } from 'react'
import { client, unwrap } from '@/api/client'
import type { ChannelMention } from '@/api/types'
import { useWorkspace } from '@/hooks/use-workspace'
import { messagePath } from '@/lib/paths'
import { notify } from '@/lib/toasts'
import { onNotice } from '@/live/workspace-events'
import { words } from '@/words/en/data-navigation'
import { say } from '@/words/say'

/** Mentions among which the one that was told of is looked for. */
const NEWEST = 10

export default function MentionNews(): null {
  const { id: workspaceId } = useWorkspace()
  useEffect(
    () =>
      onNotice((notice) => {
        // Every tab hears of it; the one that is looked at says it.
        if (notice.type !== 'mentioned' || document.visibilityState !== 'visible') return
        const { messageId } = notice
        unwrap(client.GET('/api/channels/mentions', { params: { query: { workspaceId, limit: NEWEST } } })).then(
          ({ mentions }) => {
            const mention = mentions.find(({ message }) => message.id === messageId)
            if (mention !== undefined && !mention.is_read && !isOnShow(mention)) tell(mention)
          },
          // The number in the navigation tells of it too.
          () => undefined,
        )
      }),
    [workspaceId],
  )
  return null
}

function isOnShow({ message }: ChannelMention): boolean {
  if (location.pathname !== `/channels/${message.channel_id}`) return false
  return message.thread_id === null || new URLSearchParams(location.search).get('thread') === message.thread_id
}

function tell({ message, channel, reason }: ChannelMention): void {
  const author = message.agent ?? message.author ?? words.someoneWhoLeft
  // A direct channel is called by its people.
  const isNamed = channel.kind !== 'direct'
  const text = reason === 'named' ? (isNamed ? words.namedYouIn : words.namedYou) : isNamed ? words.repliedToYouIn : words.repliedToYou
  notify(say(text, { author, channel: channel.name }), 'mention', { to: messagePath(message) })
}
