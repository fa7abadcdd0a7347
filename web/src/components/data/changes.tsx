import type { DataChange, Kind } from '@/api/data'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { ErrorState } from '@/components/ui/error-state'
import { Skeleton } from '@/components/ui/skeleton'
import { useWorkspaceChanges } from '@/hooks/use-data'
import { words } from '@/words/en/data'
import { ChangeList } from './change-list'
import type { Choices } from './row-form'

interface ChangesProps {
  /** Changes of other kinds are left out. */
  kinds: readonly Kind[]
  choices: Choices
  mayUndo: boolean
  /** Which of them; all, unless it is said. */
  only?: (change: DataChange) => boolean
}

/** Everything that people and agents changed, the newest first. */
export function Changes({ kinds, choices, mayUndo, only = () => true }: ChangesProps) {
  const query = useWorkspaceChanges()
  if (query.isPending) {
    return (
      <div role="status">
        <span className="sr-only">{words.loadingChanges}</span>
        <Skeleton className="h-64" />
      </div>
    )
  }
  if (query.isLoadingError) {
    return <ErrorState title={words.changesNotLoaded} error={query.error} retrying={query.isFetching} onRetry={() => void query.refetch()} />
  }
  const shown = query.changes.filter((change) => kinds.some(({ name }) => name === change.kind) && only(change))
  if (shown.length === 0 && !query.hasNextPage) return <EmptyState title={words.noChanges}>{words.noChangesDescription}</EmptyState>
  return (
    <div className="grid justify-items-center gap-4">
      {shown.length > 0 && (
        <Card className="w-full p-4 sm:p-5">
          <ChangeList changes={shown} kinds={kinds} choices={choices} namesRow mayUndo={mayUndo} />
        </Card>
      )}
      {query.hasNextPage && (
        <Button variant="secondary" pending={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {words.showOlder}
        </Button>
      )}
    </div>
  )
}
