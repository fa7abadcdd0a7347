import { Card } from '@/components/ui/card'
import { Skeleton } from '@/components/ui/skeleton'
import { TEAM_GRID } from './team-grid-class'

export function TeamGridSkeleton() {
  return (
    <div role="status">
      <span className="sr-only">Loading teams</span>
      <div className={TEAM_GRID}>
        {[1, 2, 3].map((index) => (
          <Card key={index} className="grid gap-3 p-5">
            <Skeleton className="h-5 w-36" />
            <Skeleton className="h-5 w-20" />
            <Skeleton className="h-10 w-full" />
            <Skeleton className="h-11 w-40" />
          </Card>
        ))}
      </div>
    </div>
  )
}
