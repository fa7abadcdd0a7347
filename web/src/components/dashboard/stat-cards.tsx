import { clsx } from 'clsx'
import { Bot, Calendar, CheckCircle2, Clock, type LucideIcon, TriangleAlert } from 'lucide-react'
import { Link } from 'wouter'
import { Skeleton } from '@/components/ui/skeleton'
import { useAgentStats } from '@/hooks/use-agent-stats'
import { usePendingApprovals } from '@/hooks/use-approvals'
import { useAgents } from '@/providers/agents-provider'
import { words as common } from '@/words/en/common'
import { words } from '@/words/en/dashboard'

/** The workspace in four numbers. What has no page yet leads nowhere. */
export function StatCards() {
  const { data: stats, isError } = useAgentStats()
  const { data: approvals } = usePendingApprovals()
  const { pendingCount } = useAgents()
  const missing = isError ? null : undefined
  const pending = approvals === undefined ? (stats?.pendingApprovals ?? missing) : pendingCount
  return (
    <ul aria-label={words.inNumbers} className="grid grid-cols-2 gap-3 sm:gap-5 xl:grid-cols-4 *:grid">
      <li>
        <StatCard label={words.hiredAgents} icon={Bot} value={stats?.hiredAgents ?? missing} to="/agents/hired" />
      </li>
      <li>
        <StatCard
          label={common.pendingApprovals}
          icon={Clock}
          value={pending}
          to="/agents/activity/pending"
          alert={(pending ?? 0) > 0}
        />
      </li>
      <li>
        <StatCard label={words.completedTasks} icon={CheckCircle2} value={stats?.completedTasks ?? missing} />
      </li>
      <li>
        <StatCard label={words.activeSchedules} icon={Calendar} value={stats?.activeSchedules ?? missing} />
      </li>
    </ul>
  )
}

interface StatCardProps {
  label: string
  icon: LucideIcon
  /** Undefined while it loads, null if it could not be. */
  value: number | null | undefined
  /** The page that shows what is where there is one. */
  to?: string
  /** This number asks for something. */
  alert?: boolean
}

function StatCard({ label, icon: Icon, value, to, alert = false }: StatCardProps) {
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
        {alert && <TriangleAlert aria-label={words.needsYourAttention} role="img" className="size-5" />}
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
