import { Card } from '@/components/ui/card'
import { Skeleton } from '@/components/ui/skeleton'

/** A form that is still loading. */
export function FormSkeleton({ what }: { what: string }) {
  return (
    <div role="status">
      <span className="sr-only">Loading {what}</span>
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
