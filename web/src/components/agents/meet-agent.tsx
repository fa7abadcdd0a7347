import { Link } from 'wouter'
import type { Agent } from '@/api/types'
import { Button } from '@/components/ui/button'
import { buttonClass } from '@/components/ui/button-class'

/** The way to a hired agent's chat. Just hired, it has no address yet. */
export function MeetAgent({ agent }: { agent: Agent }) {
  const label = (
    <span>
      Meet Agent <span className="sr-only">{agent.name}</span>
      <span aria-hidden>→</span>
    </span>
  )
  if (agent.localAgentId === null) {
    return (
      <Button variant="secondary" pending>
        {label}
      </Button>
    )
  }
  return (
    <Link to={`/agents/${agent.localAgentId}`} className={buttonClass('secondary')}>
      {label}
    </Link>
  )
}
