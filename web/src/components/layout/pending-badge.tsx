import { useAgents } from '@/providers/agents-provider'

/** How many decisions wait for this person; nothing if none do. */
export function PendingBadge() {
  const { pendingCount } = useAgents()
  if (pendingCount === 0) return null
  return (
    <span className="min-w-5 rounded-full bg-warning-subtle px-1.5 text-center text-xs leading-5 font-semibold text-warning">
      {pendingCount > 99 ? '99+' : pendingCount}
      <span className="sr-only"> pending</span>
    </span>
  )
}
