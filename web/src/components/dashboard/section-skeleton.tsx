import { Skeleton } from '@/components/ui/skeleton'

interface SectionSkeletonProps {
  label: string
  /** As high as what is loading. */
  className: string
}

export function SectionSkeleton({ label, className }: SectionSkeletonProps) {
  return (
    <div role="status">
      <span className="sr-only">{label}</span>
      <Skeleton className={`rounded-lg ${className}`} />
    </div>
  )
}
