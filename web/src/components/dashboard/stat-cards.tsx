import { Bot, Calendar, CheckCircle2, Clock } from 'lucide-react'
import { useAgentStats } from '@/hooks/use-agent-stats'
import { usePendingApprovals } from '@/hooks/use-pending-approvals'
import { useAgents } from '@/providers/agents-provider'
import { StatCard } from './stat-card'

/** The workspace in four numbers. What has no page yet leads nowhere. */
export function StatCards() {
  const { data: stats, isError } = useAgentStats()
  const { data: approvals } = usePendingApprovals()
  const { pendingCount } = useAgents()
  const missing = isError ? null : undefined
  const pending = approvals === undefined ? (stats?.pendingApprovals ?? missing) : pendingCount
  return (
    <ul aria-label="In numbers" className="grid grid-cols-2 gap-3 sm:gap-5 xl:grid-cols-4 *:grid">
      <li>
        <StatCard label="Hired Agents" icon={Bot} value={stats?.hiredAgents ?? missing} to="/agents/hired" />
      </li>
      <li>
        <StatCard
          label="Pending Approvals"
          icon={Clock}
          value={pending}
          to="/agents/activity/pending"
          alert={(pending ?? 0) > 0}
        />
      </li>
      <li>
        <StatCard label="Completed Tasks" icon={CheckCircle2} value={stats?.completedTasks ?? missing} />
      </li>
      <li>
        <StatCard label="Active Schedules" icon={Calendar} value={stats?.activeSchedules ?? missing} />
      </li>
    </ul>
  )
}
