import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorState } from '@/components/ui/error-state'
import { FormSkeleton } from './form-skeleton'

interface SectionQueryProps<Data> {
  query: UseQueryResult<Data>
  /** For readers and errors: `workspace`. */
  what: string
  children: (data: Data) => ReactNode
}

/** What is shown of something that must be loaded first. */
export function SectionQuery<Data>({ query, what, children }: SectionQueryProps<Data>) {
  if (query.data !== undefined) return children(query.data)
  if (query.isPending) return <FormSkeleton what={what} />
  return (
    <ErrorState
      title={`The ${what} could not be loaded`}
      error={query.error}
      retrying={query.isFetching}
      onRetry={() => void query.refetch()}
    />
  )
}
