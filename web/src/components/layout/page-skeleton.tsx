import { Skeleton } from '../ui/skeleton'

/** A page whose code is still on its way. */
export function PageSkeleton() {
  return (
    <div role="status" className="mx-auto max-w-[63.75rem] px-4 py-6 sm:px-8 sm:py-10">
      <span className="sr-only">Loading page</span>
      <Skeleton className="h-8 w-44" />
      <Skeleton className="mt-2 h-4 w-64" />
    </div>
  )
}
