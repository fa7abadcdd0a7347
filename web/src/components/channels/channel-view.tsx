// One channel: its head, its messages, where one writes, and beside them a thread.
import { clsx } from 'clsx'
import { Archive, ArchiveRestore, LogOut, MoreHorizontal, Pencil, Users } from 'lucide-react'
import { type ReactNode, useCallback, useState } from 'react'
import { useLocation } from 'wouter'
import type { Channel, ChannelMessage } from '@/api/types'
import { Button, buttonClass } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { DropdownMenu, MenuItem } from '@/components/ui/dropdown-menu'
import { ErrorState } from '@/components/ui/error-state'
import { Skeleton } from '@/components/ui/skeleton'
import { changeChannel, joinChannel, leaveChannel, sendMessage, useChannel, useRefreshChannels } from '@/hooks/use-channels'
import { usePageTitle } from '@/hooks/use-browser'
import { useSession } from '@/hooks/use-session'
import { useWorkspace } from '@/hooks/use-workspace'
import { words } from '@/words/en/channels'
import { say } from '@/words/say'
import { ChannelDialog } from './channel-dialog'
import { ChannelName } from './channel-name'
import { MembersDialog } from './members-dialog'
import { MessageComposer } from './message-composer'
import { Messages } from './messages'
import { ThreadPanel } from './thread-panel'

interface ChannelViewProps {
  id: string
  mayWrite: boolean
  threadId: string | undefined
  /** The number of the message that was looked for. */
  at: number | undefined
}

export function ChannelView({ id, mayWrite, threadId, at }: ChannelViewProps) {
  const { data: channel, error, isFetching, refetch } = useChannel(id)
  usePageTitle(channel?.name ?? words.channels)
  if (channel === undefined) {
    if (error !== null) return <ErrorState heading="h1" title={words.channelNotLoaded} error={error} retrying={isFetching} onRetry={() => void refetch()} />
    return (
      <div role="status" className="grid gap-3">
        <span className="sr-only">{words.loadingChannel}</span>
        <Skeleton className="h-8 w-60" />
        <Skeleton className="h-40 w-full" />
      </div>
    )
  }
  return <Loaded channel={channel} mayWrite={mayWrite} threadId={threadId} at={at} />
}

function Loaded({ channel, mayWrite, threadId, at }: Omit<ChannelViewProps, 'id'> & { channel: Channel }) {
  const [, navigate] = useLocation()
  const refresh = useRefreshChannels()
  const writes = mayWrite && channel.archived_at === null
  const openThread = useCallback(
    ({ channel_id: channelId, id }: ChannelMessage) => {
      navigate(`/channels/${channelId}?thread=${id}`)
    },
    [navigate],
  )
  return (
    <div className={clsx('grid h-full min-h-0 grid-rows-[minmax(0,1fr)] gap-4', threadId !== undefined && 'md:grid-cols-[minmax(0,1fr)_minmax(16rem,22rem)]')}>
      <section aria-label={channel.name} className={clsx('flex min-h-0 min-w-0 flex-col', threadId !== undefined && 'max-md:hidden')}>
        <Head channel={channel} mayWrite={mayWrite} />
        <Messages
          key={at}
          channel={channel}
          at={at}
          mayWrite={writes}
          onThread={openThread}
        />
        {at !== undefined && (
          <Button variant="secondary" size="sm" className="mx-auto my-1" onClick={() => { navigate(`/channels/${channel.id}`) }}>
            {words.toLatest}
          </Button>
        )}
        <div className="pt-2">
          {channel.archived_at !== null ? (
            <Note>{words.isArchived}</Note>
          ) : mayWrite ? (
            <>
              {!channel.is_member && <Note action={<Join channel={channel} />}>{words.joinToWrite}</Note>}
              <MessageComposer
                label={say(words.writeIn, { channel: channel.name })}
                onSend={async (text, key) => {
                  await sendMessage({ channelId: channel.id, text, key })
                  void refresh()
                  if (at !== undefined) navigate(`/channels/${channel.id}`)
                }}
              />
            </>
          ) : (
            <Note>{words.mayOnlyRead}</Note>
          )}
        </div>
      </section>
      {threadId !== undefined && (
        <ThreadPanel channel={channel} threadId={threadId} mayWrite={writes} onClose={() => { navigate(`/channels/${channel.id}`) }} />
      )}
    </div>
  )
}

function Note({ action, children }: { action?: ReactNode; children: ReactNode }) {
  return (
    <div className="mb-2 flex flex-wrap items-center gap-3 rounded-lg bg-subtle px-3 py-2 text-sm text-muted">
      <p className="grow">{children}</p>
      {action}
    </div>
  )
}

function Join({ channel }: { channel: Channel }) {
  const refresh = useRefreshChannels()
  return (
    <Button
      variant="secondary"
      size="sm"
      onClick={() => {
        void joinChannel(channel.id).then(refresh)
      }}
    >
      {words.join}
    </Button>
  )
}

type Asked = 'change' | 'people' | 'leave' | 'archive'

function Head({ channel, mayWrite }: { channel: Channel; mayWrite: boolean }) {
  const workspace = useWorkspace()
  const { profile } = useSession()
  const [asked, setAsked] = useState<Asked | null>(null)
  const [opener, setOpener] = useState<HTMLElement | null>(null)
  const [, navigate] = useLocation()
  const refresh = useRefreshChannels()
  const { is_member: isInside, archived_at: archivedAt } = channel
  const isNamed = channel.kind !== 'direct'
  const mayChange = mayWrite && isInside && isNamed
  const mayManage = mayChange && (channel.created_by === profile.id || workspace.role !== 'member')
  const close = () => { setAsked(null) }
  return (
    <header className="mb-2 flex items-start gap-2 border-b border-border pb-2">
      <div className="min-w-0 grow">
        <h1 className="text-base font-semibold">
          <ChannelName kind={channel.kind} name={channel.name} />
        </h1>
        {channel.topic !== '' && <p dir="auto" className="truncate text-sm text-muted" title={channel.topic}>{channel.topic}</p>}
      </div>
      {isNamed && (
        <Button variant="ghost" size="sm" aria-label={say(words.peopleInside, { count: channel.members })} onClick={({ currentTarget }) => {
          setOpener(currentTarget)
          setAsked('people')
        }}>
          <Users aria-hidden className="size-4" />
          {channel.members}
        </Button>
      )}
      {mayChange && (
        <DropdownMenu
          align="end"
          trigger={
            <button ref={setOpener} type="button" aria-label={words.channelActions} className={buttonClass('ghost', 'sm', 'px-2')}>
              <MoreHorizontal aria-hidden className="size-4" />
            </button>
          }
        >
          <MenuItem onSelect={() => { setAsked('people') }}>
            <Users aria-hidden className="size-4" />
            {words.whoIsInside}
          </MenuItem>
          <MenuItem onSelect={() => { setAsked('change') }}>
            <Pencil aria-hidden className="size-4" />
            {words.changeChannel}
          </MenuItem>
          <MenuItem onSelect={() => { setAsked('leave') }}>
            <LogOut aria-hidden className="size-4" />
            {words.leave}
          </MenuItem>
          {mayManage && (
            <MenuItem
              onSelect={() => {
                if (archivedAt === null) setAsked('archive')
                else void changeChannel(channel.id, { is_archived: false }).then(refresh)
              }}
            >
              {archivedAt === null ? <Archive aria-hidden className="size-4" /> : <ArchiveRestore aria-hidden className="size-4" />}
              {archivedAt === null ? words.archive : words.bringBack}
            </MenuItem>
          )}
        </DropdownMenu>
      )}
      {asked === 'people' && (
        <MembersDialog channel={channel} mayAdd={mayChange && archivedAt === null} mayTakeOut={mayManage} opener={opener} onClose={close} />
      )}
      {asked === 'change' && <ChannelDialog channel={channel} opener={opener} onClose={close} />}
      {asked === 'leave' && (
        <ConfirmDialog
          tone="primary"
          title={say(words.leaveTitle, { channel: channel.name })}
          description={channel.kind === 'open' ? words.leaveOpen : words.leavePrivate}
          action={words.leave}
          opener={opener}
          onClose={close}
          onConfirm={async () => {
            await leaveChannel(channel.id)
            navigate('/channels')
            await refresh()
          }}
        />
      )}
      {asked === 'archive' && (
        <ConfirmDialog
          tone="primary"
          title={say(words.archiveTitle, { channel: channel.name })}
          description={words.archiveHint}
          action={words.archive}
          opener={opener}
          onClose={close}
          onConfirm={async () => {
            await changeChannel(channel.id, { is_archived: true })
            await refresh()
          }}
        />
      )}
    </header>
  )
}
