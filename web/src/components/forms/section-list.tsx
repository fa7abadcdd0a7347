import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { messageOf } from '@/api/errors'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'

interface SectionListProps {
  query: Pick<UseQueryResult, 'isPending' | 'isLoadingError' | 'error' | 'isFetching' | 'refetch'>
  /** For readers and errors: `rules`. */
  what: string
  isEmpty: boolean
  empty: ReactNode
  children: ReactNode
}

/** A list within a section, in each of its states. */
export function SectionList({ query, what, isEmpty, empty, children }: SectionListProps) {
  if (query.isPending) {
    return (
      <div role="status" className="grid gap-3">
        <span className="sr-only">Loading {what}</span>
        <Skeleton className="h-12" />
        <Skeleton className="h-12" />
      </div>
    )
  }
  if (query.isLoadingError) {
    return (
      <div className="grid justify-items-start gap-3">
        <Alert>
          The {what} could not be loaded. {messageOf(query.error)}
        </Alert>
        <Button variant="secondary" pending={query.isFetching} onClick={() => void query.refetch()}>
          Try again
        </Button>
      </div>
    )
  }
  if (isEmpty) return <p className="text-sm text-muted wrap-anywhere">{empty}</p>
  return <ul className="mt-1 divide-y divide-border">{children}</ul>
}
