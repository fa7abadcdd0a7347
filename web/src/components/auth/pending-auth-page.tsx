import { AuthLayout } from '@/components/layout/auth-layout'
import { Skeleton } from '@/components/ui/skeleton'

/** A page before sign-in whose content is still loading. */
export function PendingAuthPage({ title }: { title: string }) {
  return (
    <AuthLayout title={title}>
      <div role="status" className="grid gap-3">
        <span className="sr-only">Loading</span>
        <Skeleton className="h-4 w-3/4" />
        <Skeleton className="h-10" />
      </div>
    </AuthLayout>
  )
}
