import { Skeleton } from '@/components/ui/skeleton'

/** A conversation that is being read. */
export function ChatSkeleton() {
  return (
    <div role="status" className="mx-auto grid w-full max-w-3xl grow content-start gap-8 px-4 pt-8 sm:px-6">
      <span className="sr-only">Loading conversation</span>
      <Skeleton className="ml-auto h-11 w-56 rounded-2xl" />
      <div className="flex gap-3">
        <Skeleton className="size-8 shrink-0 rounded-xl" />
        <div className="grid grow gap-2.5 pt-2">
          <Skeleton className="h-4 w-32" />
          <Skeleton className="h-4 w-full" />
          <Skeleton className="h-4 w-4/5" />
        </div>
      </div>
    </div>
  )
}
