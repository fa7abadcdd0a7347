// The person's conversations with all agents and teams, in the sidebar: the newest, with who holds each. It is read again
// whenever /api/events tells of one (live/use-live.ts).
import { clsx } from 'clsx'
import { useId } from 'react'
import { Link } from 'wouter'
import type { ListedConversation } from '@/api/types'
import { useConversationAddress } from '@/hooks/use-conversation-address'
import { useConversationHistory } from '@/hooks/use-conversation-history'
import { useWorkspace } from '@/hooks/use-workspace'
import { words as common } from '@/words/en/common'
import { words } from '@/words/en/layout'

const PAGE_SIZE = 12

export default function OwnConversations({ onNavigate }: { onNavigate?: () => void }) {
  const { id: workspaceId } = useWorkspace()
  const { conversationId } = useConversationAddress()
  const history = useConversationHistory({ workspaceId, of: 'all', pageSize: PAGE_SIZE })
  const { conversations, hasNextPage, isFetchingNextPage } = history
  const headingId = useId()
  // Whoever has no conversation yet needs no heading for them.
  if (history.isPending || (history.data !== undefined && conversations.length === 0)) return null
  return (
    <nav aria-labelledby={headingId} className="mt-5 pb-2">
      <h2 id={headingId} className="px-2.5 pb-1 text-xs font-medium text-muted">
        {words.conversations}
      </h2>
      <ul className="grid grid-cols-1 gap-0.5">
        {conversations.map((conversation) => (
          <li key={conversation.id}>
            <ConversationLink conversation={conversation} current={isOpen(conversation, conversationId)} onNavigate={onNavigate} />
          </li>
        ))}
      </ul>
      {history.isLoadingError && (
        <MoreButton isBusy={history.isFetching} onClick={() => void history.refetch()}>
          {words.conversationsNotLoaded}
        </MoreButton>
      )}
      {hasNextPage && (
        <MoreButton isBusy={isFetchingNextPage} onClick={() => void history.fetchNextPage()}>
          {common.showMore}
        </MoreButton>
      )}
    </nav>
  )
}

/** The list names the newest version; the first one gives all of them their family's id. */
function isOpen({ id, family_id }: ListedConversation, openId: string | null): boolean {
  return openId !== null && (id === openId || family_id === openId)
}

interface ConversationLinkProps {
  conversation: ListedConversation
  current: boolean
  onNavigate?: () => void
}

function ConversationLink({ conversation, current, onNavigate }: ConversationLinkProps) {
  const { id, title, holder, turn, team_id, agent_id } = conversation
  const place = team_id === null ? agent_id : `teams/${team_id}`
  return (
    <Link
      to={`/agents/${place}?conversation=${id}`}
      onClick={onNavigate}
      aria-current={current ? 'page' : undefined}
      className={clsx(
        'flex min-h-11 items-center gap-2 rounded-lg px-2.5 py-1 transition-colors',
        current ? 'bg-subtle' : 'hover:bg-subtle',
      )}
    >
      <span className="min-w-0 grow">
        <span dir="auto" className="block truncate text-sm">
          {title ?? words.untitledConversation}
        </span>
        {holder !== null && (
          <span dir="auto" className="block truncate text-xs text-muted">
            {holder.name}
          </span>
        )}
      </span>
      {turn !== null && <TurnMark waits={turn.status === 'waiting'} />}
    </Link>
  )
}

/** An agent is answering, or waits for this person. */
function TurnMark({ waits }: { waits: boolean }) {
  return (
    <span className="shrink-0">
      <span aria-hidden className={clsx('block size-2 rounded-full', waits ? 'bg-warning' : 'animate-pulse bg-brand')} />
      <span className="sr-only">{waits ? words.waitingForYourApproval : words.answering}</span>
    </span>
  )
}

interface MoreButtonProps {
  isBusy: boolean
  onClick: () => void
  children: string
}

function MoreButton({ isBusy, onClick, children }: MoreButtonProps) {
  return (
    <button
      type="button"
      aria-disabled={isBusy}
      className="mt-0.5 min-h-9 w-full rounded-lg px-2.5 text-left text-xs font-medium text-muted hover:bg-subtle hover:text-foreground aria-disabled:opacity-60 pointer-coarse:min-h-11"
      onClick={() => {
        if (!isBusy) onClick()
      }}
    >
      {children}
    </button>
  )
}
