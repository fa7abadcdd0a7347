import type { ReactNode } from 'react'
import type { Agent, Tool } from '@/api/types'
import { agentsWith, knownTools } from './known-tools'
import { ToolRow } from './tool-row'

interface HandoffRowProps {
  tool: Tool
  agents: readonly Agent[]
  /** At the end of the row. */
  children: ReactNode
}

/** A handoff tool: where it leads, what it passes along, and who has it. */
export function HandoffRow({ tool, agents, children }: HandoffRowProps) {
  const [known] = knownTools([], [tool])
  const target = agents.find(({ localAgentId }) => localAgentId === tool.config.target_agent_id)
  const users = agentsWith(agents, { ids: [tool.name] })
  const passes = tool.config.context_variables.map(({ name }) => name)
  if (known === undefined) return null
  return (
    <ToolRow
      tool={known}
      note={
        <>
          {target && <>Leads to {target.name}. </>}
          {passes.length > 0 && <>Passes {passes.join(', ')}. </>}
          {users.length === 0 ? 'No agent has it yet.' : `Used by ${users.map(({ name }) => name).join(', ')}.`}
        </>
      }
    >
      {children}
    </ToolRow>
  )
}
