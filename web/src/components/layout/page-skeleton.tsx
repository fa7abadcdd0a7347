import { clsx } from 'clsx'
import { Skeleton } from '@/components/ui/skeleton'
import { PAGE_COLUMN } from './page-column'

/** A page whose code is still on its way. */
export function PageSkeleton() {
  return (
    <div role="status" className={clsx(PAGE_COLUMN, 'py-6 sm:py-10')}>
      <span className="sr-only">Loading page</span>
      <Skeleton className="h-8 w-44" />
      <Skeleton className="mt-2 h-4 w-64" />
    </div>
  )
}
