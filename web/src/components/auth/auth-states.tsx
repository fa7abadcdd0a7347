import { messageOf } from '@/api/errors'
import { AuthLayout } from '@/components/layout/auth-layout'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { words } from '@/words/en/auth'
import { words as common } from '@/words/en/common'

interface LoadProblemProps {
  title: string
  query: { error: unknown; isFetching: boolean; refetch: () => unknown }
}

/** A page before sign-in whose content could not be loaded. */
export function LoadProblem({ title, query }: LoadProblemProps) {
  return (
    <AuthLayout title={title}>
      <div className="grid gap-4">
        <Alert>{messageOf(query.error)}</Alert>
        <Button variant="secondary" pending={query.isFetching} onClick={() => void query.refetch()}>
          {common.tryAgain}
        </Button>
      </div>
    </AuthLayout>
  )
}

/** A page before sign-in whose content is still loading. */
export function PendingAuthPage({ title }: { title: string }) {
  return (
    <AuthLayout title={title}>
      <div role="status" className="grid gap-3">
        <span className="sr-only">{words.loading}</span>
        <Skeleton className="h-4 w-3/4" />
        <Skeleton className="h-10" />
      </div>
    </AuthLayout>
  )
}
