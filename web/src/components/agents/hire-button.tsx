import type { Agent } from '@/api/types'
import { Button } from '@/components/ui/button'
import { useAgents } from '@/providers/agents-provider'
import { hireButtonId } from './hire-button-id'

/** Opens the hire dialog. */
export function HireButton({ agent }: { agent: Agent }) {
  const { setSelectedAgentForHire, setShowHireAgent } = useAgents()
  return (
    <Button
      id={hireButtonId(agent.id)}
      aria-label={`Hire Agent: ${agent.name}`}
      onClick={() => {
        setSelectedAgentForHire(agent)
        setShowHireAgent(true)
      }}
    >
      Hire Agent
    </Button>
  )
}
