import { Card } from '@/components/ui/card'
import { Skeleton } from '@/components/ui/skeleton'
import { AGENT_GRID } from './agent-grid-class'

export function AgentGridSkeleton() {
  return (
    <div aria-hidden className={AGENT_GRID}>
      {Array.from({ length: 8 }, (_, index) => (
        <Card key={index} className="p-5">
          <Skeleton className="size-14 rounded-xl" />
          <Skeleton className="mt-4 h-5 w-32" />
          <Skeleton className="mt-4 h-4 w-28" />
          <Skeleton className="mt-2 h-4 w-36" />
          <Skeleton className="mt-2 h-4 w-24" />
        </Card>
      ))}
    </div>
  )
}
