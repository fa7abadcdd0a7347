import { useId, type ReactNode } from 'react'
import type { Agent } from '@/api/types'
import { Card } from '../ui/card'
import { AgentAvatar } from './agent-avatar'
import { AgentNumbers, type NumbersState } from './agent-numbers'
import { AgentTools } from './agent-tools'

interface AgentCardProps {
  agent: Agent
  /** What a hired agent has done; not looked at for others. */
  numbers: NumbersState
  /** Top right. */
  menu?: ReactNode
  /** The button at the foot, full width. */
  footer?: ReactNode
}

/** An agent, hired or for hire, on every page that lists agents. */
export function AgentCard({ agent, numbers, menu, footer }: AgentCardProps) {
  const nameId = useId()
  return (
    <article aria-labelledby={nameId} className="flex w-full sm:w-56">
      <Card className="flex min-w-0 grow flex-col p-5 transition-shadow hover:shadow-md">
        <div className="flex items-start justify-between">
          <AgentAvatar agent={agent} />
          {menu}
        </div>
        <h2 id={nameId} className="mt-4 truncate font-semibold" title={agent.name}>
          {agent.name}
        </h2>
        {agent.isHired ? (
          <div className="mt-2.5 grid grow grid-cols-1 content-start gap-3.5">
            <AgentNumbers numbers={numbers} />
            <AgentTools tools={agent.toolDetails} />
          </div>
        ) : (
          <div className="mt-1 flex grow flex-col justify-between gap-4 text-sm text-muted">
            <p className="line-clamp-3 wrap-anywhere">{agent.description}</p>
            <p className="italic">Hire to get started</p>
          </div>
        )}
        {footer !== undefined && <div className="grid pt-4">{footer}</div>}
      </Card>
    </article>
  )
}
