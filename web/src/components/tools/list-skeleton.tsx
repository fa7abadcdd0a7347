import { Card } from '@/components/ui/card'
import { Skeleton } from '@/components/ui/skeleton'

/** Rows that are still loading. */
export function ListSkeleton({ what, rows = 3 }: { what: string; rows?: number }) {
  return (
    <Card className="divide-y divide-border">
      <p role="status" className="sr-only">
        Loading {what}
      </p>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className="flex items-start gap-3 px-4 py-3.5 sm:px-5">
          <Skeleton className="size-9 rounded-lg" />
          <div className="grid grow gap-2 py-1">
            <Skeleton className="h-4 w-40" />
            <Skeleton className="h-3.5 w-full max-w-80" />
          </div>
        </div>
      ))}
    </Card>
  )
}
