import { useState } from 'react'
import type { Agent } from '@/api/types'
import { useAgentNumbers } from '@/hooks/use-agent-numbers'
import { AgentCard } from './agent-card'
import { AGENT_GRID } from './agent-grid-class'
import { AgentMenu } from './agent-menu'
import { HireButton } from './hire-button'
import { MeetAgent } from './meet-agent'
import { UnhireDialog } from './unhire-dialog'

interface Leaving {
  agent: Agent
  opener: HTMLElement | null
}

/** Agent cards, and the dialog that lets one go. */
export function AgentGrid({ agents }: { agents: readonly Agent[] }) {
  const numbersOf = useAgentNumbers()
  const [leaving, setLeaving] = useState<Leaving | null>(null)
  return (
    <>
      <ul className={AGENT_GRID}>
        {agents.map((agent) => (
          <li key={agent.id} className="flex min-w-0">
            <AgentCard
              agent={agent}
              numbers={numbersOf(agent)}
              menu={
                agent.isHired &&
                agent.canChange && (
                  <AgentMenu
                    agent={agent}
                    onUnhire={(opener) => {
                      setLeaving({ agent, opener })
                    }}
                  />
                )
              }
              footer={agent.isHired ? <MeetAgent agent={agent} /> : <HireButton agent={agent} />}
            />
          </li>
        ))}
      </ul>
      {leaving !== null && (
        <UnhireDialog
          agent={leaving.agent}
          opener={leaving.opener}
          onClose={() => {
            setLeaving(null)
          }}
        />
      )}
    </>
  )
}
