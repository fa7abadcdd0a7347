import { clsx } from 'clsx'
import { type LucideIcon, TriangleAlert } from 'lucide-react'
import { Link } from 'wouter'
import { Skeleton } from '@/components/ui/skeleton'

interface StatCardProps {
  label: string
  icon: LucideIcon
  /** Undefined while it loads, null if it could not be. */
  value: number | null | undefined
  /** The page that shows what is counted, where there is one. */
  to?: string
  /** This number asks for something. */
  alert?: boolean
}

export function StatCard({ label, icon: Icon, value, to, alert = false }: StatCardProps) {
  const look = clsx(
    'flex min-w-0 flex-col justify-between gap-2 rounded-lg border p-4 sm:p-5',
    alert ? 'border-warning/40 bg-warning-subtle' : 'border-border bg-surface',
    to !== undefined && 'transition-shadow hover:shadow-md',
  )
  const content = (
    <>
      <span className={clsx('flex items-center gap-2 text-sm', alert ? 'text-warning' : 'text-muted')}>
        <Icon aria-hidden className="size-4 shrink-0" />
        <span className="min-w-0">{label}</span>
      </span>
      <span className={clsx('flex items-center gap-2 text-2xl font-semibold tabular-nums', alert && 'text-warning')}>
        {value === undefined ? <Skeleton className="h-8 w-10" /> : (value?.toLocaleString() ?? '–')}
        {alert && <TriangleAlert aria-label="needs your attention" role="img" className="size-5" />}
      </span>
    </>
  )
  if (to === undefined) return <div className={look}>{content}</div>
  return (
    <Link to={to} className={look}>
      {content}
    </Link>
  )
}
