import { Plus } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Of } from '@/api/conversations'
import type { Conversation } from '@/api/types'
import { Button, Spinner } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { EmptyState } from '@/components/ui/empty-state'
import { ErrorState } from '@/components/ui/error-state'
import { SearchBox } from '@/components/ui/search-box'
import { Sheet } from '@/components/ui/sheet'
import { Skeleton } from '@/components/ui/skeleton'
import { useDebouncedValue } from '@/hooks/use-browser'
import { useConversationHistory, useDeleteConversation } from '@/hooks/use-conversation-history'
import { words } from '@/words/en/chat-on-demand'
import { say } from '@/words/say'
import { NotLoaded } from './chat-states'
import { HistoryItem } from './history-item'

export interface HistoryDrawerProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  workspaceId: string
  of: Of
  current: ShownConversation
  onOpen: (conversation: Conversation) => void
  onNew: () => void
}

/** The person's earlier conversations. */
export function HistoryDrawer(props: HistoryDrawerProps) {
  const { open, onOpenChange, workspaceId, of, current, onOpen, onNew } = props
  const [search, setSearch] = useState('')
  const settled = useDebouncedValue(search.trim())
  const close = () => {
    onOpenChange(false)
  }
  return (
    <Sheet side="right" open={open} onOpenChange={onOpenChange} title={words.conversationHistory}>
      <div className="grid gap-2 border-b border-border p-3">
        <Button
          variant="secondary"
          className="mr-11 justify-start"
          onClick={() => {
            close()
            onNew()
          }}
        >
          <Plus aria-hidden className="size-4" />
          {words.newConversation}
        </Button>
        <SearchBox label={words.searchConversations} value={search} onChange={setSearch} />
      </div>
      <HistoryList
        workspaceId={workspaceId}
        of={of}
        search={settled}
        current={current}
        onOpen={(conversation) => {
          close()
          onOpen(conversation)
        }}
        onDeletedCurrent={() => {
          close()
          onNew()
        }}
      />
    </Sheet>
  )
}

interface HistoryListProps {
  workspaceId: string
  of: Of
  search: string
  current: ShownConversation
  onOpen: (conversation: Conversation) => void
  onDeletedCurrent: () => void
}

/** What the person sees beside the history: any version of an entry. */
interface ShownConversation {
  id: string | null
  familyId: string | null
}

function HistoryList({ workspaceId, of, search, current, onOpen, onDeletedCurrent }: HistoryListProps) {
  const history = useConversationHistory({ workspaceId, of, search })
  const remove = useDeleteConversation(workspaceId)
  const end = useRef<HTMLDivElement>(null)
  const [deleting, setDeleting] = useState<{ conversation: Conversation; opener: HTMLElement | null } | null>(null)
  const { conversations, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = history

  useEffect(() => {
    const mark = end.current
    if (mark === null || !hasNextPage || isFetchingNextPage || isFetchNextPageError) return
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) void fetchNextPage()
    })
    observer.observe(mark)
    return () => {
      observer.disconnect()
    }
  }, [hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage, conversations.length])

  return (
    <div className="min-h-0 grow overflow-y-auto p-2">
      {history.isPending && <HistorySkeleton />}
      {history.isLoadingError && (
        <ErrorState
          title={words.historyNotLoaded}
          error={history.error}
          retrying={history.isFetching}
          onRetry={() => void history.refetch()}
        />
      )}
      {history.data !== undefined && conversations.length === 0 && !hasNextPage && (
        <EmptyState title={search === '' ? words.noConversationsYet : say(words.nothingMatches, { search })} />
      )}
      <ul aria-label={words.conversations} className="grid grid-cols-1 gap-0.5">
        {conversations.map((conversation) => (
          <HistoryItem
            key={conversation.id}
            conversation={conversation}
            current={isShown(conversation, current)}
            onOpen={() => {
              onOpen(conversation)
            }}
            onDelete={(opener) => {
              setDeleting({ conversation, opener })
            }}
          />
        ))}
      </ul>
      {hasNextPage && (
        <div ref={end} className="flex justify-center py-4 text-muted">
          {isFetchNextPageError && !isFetchingNextPage ? (
            <NotLoaded onRetry={() => void fetchNextPage()} />
          ) : (
            <>
              <Spinner />
              <span className="sr-only">{words.loadingMore}</span>
            </>
          )}
        </div>
      )}
      {deleting !== null && (
        <ConfirmDialog
          opener={deleting.opener}
          title={words.deleteThisConversation}
          description={say(deleting.conversation.family_id === null ? words.conversationDeleted : words.versionsDeleted, {
            title: deleting.conversation.title ?? words.untitledConversation,
          })}
          onConfirm={async () => {
            await remove.mutateAsync(deleting.conversation.id)
            if (isShown(deleting.conversation, current)) onDeletedCurrent()
          }}
          onClose={() => {
            setDeleting(null)
          }}
        />
      )}
    </div>
  )
}

function isShown({ id, family_id }: Conversation, shown: ShownConversation): boolean {
  return id === shown.id || (family_id !== null && family_id === shown.familyId)
}

function HistorySkeleton() {
  return (
    <div role="status" className="grid gap-3 p-2">
      <span className="sr-only">{words.loadingConversations}</span>
      {['w-48', 'w-36', 'w-52', 'w-40'].map((width) => (
        <div key={width} className="grid gap-1.5">
          <Skeleton className={`h-4 ${width}`} />
          <Skeleton className="h-3 w-20" />
        </div>
      ))}
    </div>
  )
}
