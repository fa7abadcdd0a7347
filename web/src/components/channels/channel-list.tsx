// The channels that the person is in, with what is unread, and the ways to more of them.
import { clsx } from 'clsx'
import { AtSign, Compass, MessagesSquare, Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Channel } from '@/api/types'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { ErrorState } from '@/components/ui/error-state'
import { IconButton } from '@/components/ui/icon-button'
import { Skeleton } from '@/components/ui/skeleton'
import { useChannels } from '@/hooks/use-channels'
import { words } from '@/words/en/channels'
import { say } from '@/words/say'
import { ChannelName } from './channel-name'

export type Asking = 'new' | 'direct' | 'browse'

interface ChannelListProps {
  openId: string | undefined
  mayWrite: boolean
  onAsk: (what: Asking, opener: HTMLElement) => void
}

export function ChannelList({ openId, mayWrite, onAsk }: ChannelListProps) {
  const { data, error, isFetching, refetch } = useChannels()
  if (data === undefined) {
    if (error !== null) return <ErrorState title={words.channelsNotLoaded} error={error} retrying={isFetching} onRetry={() => void refetch()} />
    return (
      <div role="status" className="grid gap-2">
        <span className="sr-only">{words.loadingChannels}</span>
        <Skeleton className="h-9 w-full" />
        <Skeleton className="h-9 w-full" />
        <Skeleton className="h-9 w-2/3" />
      </div>
    )
  }
  const named = data.channels.filter(({ kind }) => kind !== 'direct').sort((one, other) => one.name.localeCompare(other.name))
  const direct = data.channels.filter(({ kind }) => kind === 'direct')
  const browse = (button: HTMLElement) => { onAsk('browse', button) }
  return (
    <nav aria-label={words.channels} className="grid gap-4">
      <Link to="/channels/mentions" aria-current={openId === 'mentions' ? 'page' : undefined} className={rowClass(openId === 'mentions')}>
        <AtSign aria-hidden className="size-4 shrink-0 text-muted" />
        <span className="grow">{words.mentions}</span>
        <UnreadBadge unread={0} mentions={data.unread_mentions} />
      </Link>
      <Group
        title={words.channels}
        actions={
          <>
            <IconButton label={words.browseChannels} onClick={({ currentTarget }) => { browse(currentTarget) }}>
              <Compass aria-hidden className="size-4" />
            </IconButton>
            {mayWrite && (
              <IconButton label={words.newChannel} onClick={({ currentTarget }) => { onAsk('new', currentTarget) }}>
                <Plus aria-hidden className="size-4" />
              </IconButton>
            )}
          </>
        }
      >
        {named.length === 0 ? (
          <EmptyState
            icon={<MessagesSquare className="size-6" />}
            title={words.noChannelsYet}
            action={
              <Button variant="secondary" size="sm" onClick={({ currentTarget }) => { browse(currentTarget) }}>
                {words.browseChannels}
              </Button>
            }
          >
            {words.noChannelsHint}
          </EmptyState>
        ) : (
          <Rows channels={named} openId={openId} />
        )}
      </Group>
      <Group
        title={words.directMessages}
        actions={
          mayWrite && (
            <IconButton label={words.newDirect} onClick={({ currentTarget }) => { onAsk('direct', currentTarget) }}>
              <Plus aria-hidden className="size-4" />
            </IconButton>
          )
        }
      >
        <Rows channels={direct} openId={openId} />
      </Group>
    </nav>
  )
}

function Group({ title, actions, children }: { title: string; actions: ReactNode; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <div className="mb-1 flex items-center gap-1 px-2.5">
        <h2 className="mr-auto text-xs font-semibold text-muted">{title}</h2>
        {actions}
      </div>
      {children}
    </section>
  )
}

function Rows({ channels, openId }: { channels: readonly Channel[]; openId: string | undefined }) {
  return (
    <ul className="grid gap-px">
      {channels.map(({ id, kind, name, unread, unread_mentions: mentions }) => (
        <li key={id}>
          <Link to={`/channels/${id}`} aria-current={id === openId ? 'page' : undefined} className={rowClass(id === openId, unread > 0 || mentions > 0)}>
            <span className="min-w-0 grow">
              <ChannelName kind={kind} name={name} />
            </span>
            <UnreadBadge unread={unread} mentions={mentions} />
          </Link>
        </li>
      ))}
    </ul>
  )
}

function rowClass(isOpen: boolean, isUnread = false): string {
  return clsx(
    'flex min-h-9 items-center gap-2 rounded-lg px-2.5 text-sm transition-colors pointer-coarse:min-h-11',
    isOpen ? 'bg-subtle text-foreground' : 'text-muted hover:bg-subtle hover:text-foreground',
    isUnread && 'font-semibold text-foreground',
  )
}

interface UnreadBadgeProps {
  unread: number
  mentions: number
}

/** How much of a channel is not read; mentions count for more. Nothing if all is. */
function UnreadBadge({ unread, mentions }: UnreadBadgeProps) {
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
