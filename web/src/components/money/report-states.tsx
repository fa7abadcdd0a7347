import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorState } from '@/components/ui/error-state'
import { Skeleton } from '@/components/ui/skeleton'
import { words } from '@/words/en/money'

interface ReportStatesProps<Data> {
  query: UseQueryResult<Data>
  children: (data: Data) => ReactNode
}

/** What is read from the server, in each of its states. */
export function ReportStates<Data>({ query, children }: ReportStatesProps<Data>) {
  if (query.data !== undefined) return children(query.data)
  if (query.isPending) {
    return (
      <div role="status" className="grid gap-3">
        <span className="sr-only">{words.loading}</span>
        <Skeleton className="h-10 w-48" />
        <Skeleton className="h-48" />
      </div>
    )
  }
  return <ErrorState title={words.notLoaded} error={query.error} retrying={query.isFetching} onRetry={() => void query.refetch()} />
}
