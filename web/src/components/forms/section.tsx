import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { messageOf } from '@/api/errors'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { ErrorState } from '@/components/ui/error-state'
import { Skeleton } from '@/components/ui/skeleton'
import { words as common } from '@/words/en/common'
import { words } from '@/words/en/forms'

/** What lists and forms are loaded with; the catalog has the words for each. */
export type Loaded = keyof typeof words.loading

interface SettingsSectionProps {
  /** What the address names it by, after the #. */
  id?: string
  title: string
  description?: ReactNode
  /** Beside the title. */
  actions?: ReactNode
  children: ReactNode
}

/** One group of settings. */
export function SettingsSection({ id, title, description, actions, children }: SettingsSectionProps) {
  const headingId = useId()
  return (
    <section id={id} aria-labelledby={headingId} className="scroll-mt-20 lg:scroll-mt-6">
      <Card className="p-4 sm:p-6">
        <div className="mb-5 flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
          <div className="min-w-0 grow basis-64">
            <h2 id={headingId} className="font-semibold">
              {title}
            </h2>
            {description !== undefined && <p className="mt-1 text-sm text-pretty text-muted wrap-anywhere">{description}</p>}
          </div>
          {actions !== undefined && <div className="flex shrink-0 flex-wrap gap-2">{actions}</div>}
        </div>
        {children}
      </Card>
    </section>
  )
}

interface SectionListProps {
  query: Pick<UseQueryResult, 'isPending' | 'isLoadingError' | 'error' | 'isFetching' | 'refetch'>
  /** What it is a list of. */
  what: Loaded
  isEmpty: boolean
  empty: ReactNode
  children: ReactNode
}

/** A list within a section, in each of its states. */
export function SectionList({ query, what, isEmpty, empty, children }: SectionListProps) {
  if (query.isPending) {
    return (
      <div role="status" className="grid gap-3">
        <span className="sr-only">{words.loading[what]}</span>
        <Skeleton className="h-12" />
        <Skeleton className="h-12" />
      </div>
    )
  }
  if (query.isLoadingError) {
    return (
      <div className="grid justify-items-start gap-3">
        <Alert>
          {words.failed[what]}. {messageOf(query.error)}
        </Alert>
        <Button variant="secondary" pending={query.isFetching} onClick={() => void query.refetch()}>
          {common.tryAgain}
        </Button>
      </div>
    )
  }
  if (isEmpty) return <p className="text-sm text-muted wrap-anywhere">{empty}</p>
  return <ul className="mt-1 divide-y divide-border">{children}</ul>
}

interface SectionQueryProps<Data> {
  query: UseQueryResult<Data>
  /** What is loaded. */
  what: Loaded
  children: (data: Data) => ReactNode
}

/** What is shown of something that must be loaded first. */
export function SectionQuery<Data>({ query, what, children }: SectionQueryProps<Data>) {
  if (query.data !== undefined) return children(query.data)
  if (query.isPending) return <FormSkeleton what={what} />
  return (
    <ErrorState
      title={words.failed[what]}
      error={query.error}
      retrying={query.isFetching}
      onRetry={() => void query.refetch()}
    />
  )
}

/** A form that is still loading. */
export function FormSkeleton({ what }: { what: Loaded }) {
  return (
    <div role="status">
      <span className="sr-only">{words.loading[what]}</span>
      <Card className="grid gap-6 p-4 sm:p-6">
        {['w-24', 'w-32', 'w-20'].map((width) => (
          <div key={width} className="grid gap-2">
            <Skeleton className={`h-4 ${width}`} />
            <Skeleton className="h-10 w-full" />
          </div>
        ))}
        <Skeleton className="h-32 w-full" />
      </Card>
    </div>
  )
}
