import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { isGone } from '@/api/errors'
import { ErrorState } from './error-state'
import { Skeleton } from './skeleton'

interface QueryStatesProps<Data> {
  query: UseQueryResult<Data>
  /** What is said while it is read. */
  loading: string
  /** What is said if it could not be read. */
  failed: string
  /** The shape of what will be there. */
  skeletons: readonly string[]
  /** What is shown if there is no such thing, or no longer. */
  gone?: ReactNode
  children: (data: Data) => ReactNode
}

/** What is read from the server, in each of its states. */
export function QueryStates<Data>({ query, loading, failed, skeletons, gone, children }: QueryStatesProps<Data>) {
  if (query.data !== undefined) return children(query.data)
  if (query.isPending) {
    return (
      <div role="status" className="grid gap-3">
        <span className="sr-only">{loading}</span>
        {skeletons.map((shape) => (
          <Skeleton key={shape} className={shape} />
        ))}
      </div>
    )
  }
  if (gone !== undefined && isGone(query.error)) return gone
  return <ErrorState title={failed} error={query.error} retrying={query.isFetching} onRetry={() => void query.refetch()} />
}
