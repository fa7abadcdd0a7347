import { EyeOff } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Kind } from '@/api/data'
import { EmptyState } from '@/components/ui/empty-state'
import { ErrorState } from '@/components/ui/error-state'
import { Skeleton } from '@/components/ui/skeleton'
import { type Area, useAccess } from '@/hooks/use-areas'
import { useKinds } from '@/hooks/use-data'
import { words } from '@/words/en/data'

interface AreaGateProps {
  area: Area
  /** What is said to those who may not see it. */
  notYours: string
  /** The page; `body` is what it shows once the kinds are described. */
  children: (body: ReactNode) => ReactNode
  body: (kinds: KindsOfArea, mayChange: boolean) => ReactNode
}

export interface KindsOfArea {
  all: readonly Kind[]
  /** The one of this name. */
  one: (name: string) => Kind
}

/** A page of one part of the workspace's data: what it shows to those who may see it, and to those who may not. */
export function AreaGate({ area, notYours, children, body }: AreaGateProps) {
  const access = useAccess(area)
  const { data: kinds, isLoadingError, error, isFetching, refetch } = useKinds()
  // The server describes only what one may see, and may say so before it says what one may do.
  if (access === 'none' || kinds?.some((kind) => kind.area === area) === false) {
    return (
      <EmptyState heading="h1" icon={<EyeOff className="size-6" />} title={notYours}>
        {words.notYoursDescription}
      </EmptyState>
    )
  }
  if (isLoadingError) return children(<ErrorState title={words.kindsNotLoaded} error={error} retrying={isFetching} onRetry={() => void refetch()} />)
  if (kinds === undefined) {
    return children(
      <div role="status">
        <span className="sr-only">{words.loadingRow}</span>
        <Skeleton className="h-64" />
      </div>,
    )
  }
  const one = (name: string): Kind => {
    const found = kinds.find((kind) => kind.name === name)
    if (found === undefined) throw new Error(`the server describes no ${name}`)
    return found
  }
  return children(body({ all: kinds, one }, access === 'write'))
}
