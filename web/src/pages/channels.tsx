// Channels: which there are on one side, one of them, the mentions or a search on the other. On a phone one of the two.
import { clsx } from 'clsx'
import { EyeOff, MessagesSquare } from 'lucide-react'
import { useState } from 'react'
import { Link, useSearch } from 'wouter'
import { BrowseDialog } from '@/components/channels/browse-dialog'
import { ChannelDialog } from '@/components/channels/channel-dialog'
import { type Asking, ChannelList } from '@/components/channels/channel-list'
import { ChannelView } from '@/components/channels/channel-view'
import { DirectDialog } from '@/components/channels/direct-dialog'
import { MentionList } from '@/components/channels/mention-list'
import { MessageSearch } from '@/components/channels/message-search'
import { EmptyState } from '@/components/ui/empty-state'
import { SearchBox } from '@/components/ui/search-box'
import { useAccess } from '@/hooks/use-areas'
import { usePageTitle } from '@/hooks/use-browser'
import { useWorkspace } from '@/hooks/use-workspace'
import { words } from '@/words/en/channels'
import { say } from '@/words/say'

export default function ChannelsPage({ params }: { params: { id?: string } }) {
  const workspace = useWorkspace()
  const access = useAccess('messages')
  usePageTitle(words.channels)
  if (access === 'none') {
    return (
      <EmptyState heading="h1" icon={<EyeOff className="size-6" />} title={say(words.notYours, { workspace: workspace.name })}>
        {words.notYoursDescription}
      </EmptyState>
    )
  }
  return <Channels at={params.id} mayWrite={access === 'write'} />
}

function Channels({ at, mayWrite }: { at: string | undefined; mayWrite: boolean }) {
  const [search, setSearch] = useState('')
  const [asking, setAsking] = useState<{ what: Asking; opener: HTMLElement } | null>(null)
  const place = new URLSearchParams(useSearch())
  const isSearching = search.trim() !== ''
  const isElsewhere = at !== undefined || isSearching
  const leaveSearch = () => { setSearch('') }
  const close = () => { setAsking(null) }
  const dialog = { opener: asking?.opener ?? null, onClose: close }
  const Heading = isElsewhere ? 'p' : 'h1'
  return (
    // As high as the window: messages scroll within it.
    <div data-fills-screen className="mx-auto flex min-h-0 w-full max-w-[90rem] min-w-0 grow flex-col px-4 py-4 sm:px-8">
      <header className="mb-3 flex flex-wrap items-center gap-2">
        <Heading className="mr-auto text-lg font-semibold tracking-tight">
          {isElsewhere ? (
            <Link to="/channels" className="rounded-sm hover:underline" onClick={leaveSearch}>
              {words.channels}
            </Link>
          ) : (
            words.channels
          )}
        </Heading>
        <SearchBox label={words.searchMessages} value={search} onChange={setSearch} className={clsx('w-full sm:max-w-80', isElsewhere && !isSearching && 'max-sm:hidden')} />
      </header>
      <div className="grid min-h-0 min-w-0 grow gap-6 md:grid-cols-[15rem_minmax(0,1fr)] lg:grid-cols-[17rem_minmax(0,1fr)]">
        <div className={clsx('min-h-0 overflow-y-auto md:block', isElsewhere && 'hidden')}>
          <ChannelList openId={at} mayWrite={mayWrite} onAsk={(what, opener) => { setAsking({ what, opener }) }} />
        </div>
        <div className={clsx('min-h-0 min-w-0', !isElsewhere && 'hidden md:block', isSearching && 'overflow-y-auto')}>
          {isSearching && <MessageSearch search={search} onOpen={leaveSearch} />}
          {/* What is being written stays while one looks something up. */}
          <div hidden={isSearching} className="h-full [&[hidden]]:hidden">
            <Main at={at} mayWrite={mayWrite} threadId={place.get('thread') ?? undefined} number={place.get('at')} />
          </div>
        </div>
      </div>
      {asking?.what === 'new' && <ChannelDialog {...dialog} />}
      {asking?.what === 'direct' && <DirectDialog {...dialog} />}
      {asking?.what === 'browse' && <BrowseDialog mayWrite={mayWrite} {...dialog} />}
    </div>
  )
}

interface MainProps {
  at: string | undefined
  mayWrite: boolean
  threadId: string | undefined
  number: string | null
}

function Main({ at, mayWrite, threadId, number }: MainProps) {
  if (at === 'mentions') return <MentionList />
  if (at === undefined) {
    return (
      <EmptyState icon={<MessagesSquare className="size-6" />} title={words.chooseChannel}>
        {words.chooseChannelHint}
      </EmptyState>
    )
  }
  const wanted = number !== null && /^\d+$/.test(number) ? Number(number) : undefined
  return <ChannelView key={at} id={at} mayWrite={mayWrite} threadId={threadId} at={wanted} />
}
