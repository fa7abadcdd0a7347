import { Link } from 'wouter'
import { buttonClass } from '@/components/ui/button-class'
import { EmptyState } from '@/components/ui/empty-state'

/** A workspace in which no agent works yet. */
export function NoneHired() {
  return (
    <EmptyState
      icon="✨"
      title="No agents hired yet"
      action={
        <Link to="/agents/discover" className={buttonClass()}>
          Browse Agents
        </Link>
      }
    >
      Discover and hire AI agents to help automate your work
    </EmptyState>
  )
}
