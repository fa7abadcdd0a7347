import { Skeleton } from '@/components/ui/skeleton'

export function AgentRowSkeleton() {
  return (
    <div role="status" className="flex gap-5 overflow-hidden">
      <span className="sr-only">Loading agents</span>
      {Array.from({ length: 4 }, (_, index) => (
        <Skeleton key={index} className="h-64 w-56 shrink-0 rounded-lg" />
      ))}
    </div>
  )
}
