import type { ReactNode } from 'react'
import { ErrorState } from '@/components/ui/error-state'
import { Skeleton } from '@/components/ui/skeleton'
import type { useBoard } from '@/hooks/use-board'
import { words } from '@/words/en/data'

interface BoardStatesProps {
  board: Pick<ReturnType<typeof useBoard>, 'columns' | 'error' | 'isFetching' | 'retry'>
  /** How many columns it will have. */
  columns: number
  children: ReactNode
}

/** A board that is on its way, or did not come. */
export function BoardStates({ board, columns, children }: BoardStatesProps) {
  if (board.error !== undefined) return <ErrorState title={words.boardNotLoaded} error={board.error} retrying={board.isFetching} onRetry={board.retry} />
  if (board.columns !== undefined) return children
  return (
    <div role="status" className="flex gap-3 overflow-hidden">
      <span className="sr-only">{words.loadingBoard}</span>
      {Array.from({ length: columns }, (_, at) => (
        <Skeleton key={at} className="h-96 min-w-62 grow rounded-xl" />
      ))}
    </div>
  )
}
