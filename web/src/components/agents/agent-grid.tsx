import { useState } from 'react'
import type { Agent } from '@/api/types'
import { useAgentStats } from '@/hooks/use-agent-stats'
import { Button } from '../ui/button'
import { AgentCard } from './agent-card'
import { AGENT_GRID } from './agent-grid-class'
import { AgentMenu } from './agent-menu'
import type { NumbersState } from './agent-numbers'
import { HireDialog } from './hire-dialog'
import { UnhireDialog } from './unhire-dialog'

interface OpenDialog {
  kind: 'hire' | 'unhire'
  agent: Agent
  opener: HTMLElement | null
}

/** Agent cards, and the dialogs that hire and unhire. */
export function AgentGrid({ agents }: { agents: readonly Agent[] }) {
  const numbersOf = useNumbers()
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const close = () => {
    setDialog(null)
  }
  return (
    <>
      <ul className={AGENT_GRID}>
        {agents.map((agent) => (
          <li key={agent.id} className="flex min-w-0">
            <AgentCard
              agent={agent}
              numbers={numbersOf(agent)}
              menu={
                agent.canChange && (
                  <AgentMenu
                    agent={agent}
                    onUnhire={(opener) => {
                      setDialog({ kind: 'unhire', agent, opener })
                    }}
                  />
                )
              }
              footer={
                agent.isHired ? undefined : (
                  <Button
                    aria-label={`Hire Agent: ${agent.name}`}
                    onClick={(event) => {
                      setDialog({ kind: 'hire', agent, opener: event.currentTarget })
                    }}
                  >
                    Hire Agent
                  </Button>
                )
              }
            />
          </li>
        ))}
      </ul>
      {dialog?.kind === 'hire' && <HireDialog agent={dialog.agent} opener={dialog.opener} onClose={close} />}
      {dialog?.kind === 'unhire' && <UnhireDialog agent={dialog.agent} opener={dialog.opener} onClose={close} />}
    </>
  )
}

function useNumbers(): (agent: Agent) => NumbersState {
  const { data, isError } = useAgentStats()
  return ({ localAgentId }) => {
    if (data === undefined) return isError ? 'unavailable' : 'loading'
    const none = { agentId: localAgentId ?? '', conversations: 0, completedTasks: 0, schedules: 0 }
    return data.agents.find(({ agentId }) => agentId === localAgentId) ?? none
  }
}
