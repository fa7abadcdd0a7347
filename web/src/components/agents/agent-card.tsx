import { type ReactNode, useId } from 'react'
import type { Agent } from '@/api/types'
import { Badge } from '@/components/ui/badge'
import { Card } from '@/components/ui/card'
import type { NumbersState } from '@/hooks/use-agent-numbers'
import { AgentAvatar } from './agent-avatar'
import { AgentNumbers } from './agent-numbers'
import { AgentTools } from './agent-tools'
import { hasUpdate } from './has-update'

interface AgentCardProps {
  agent: Agent
  /** What a hired agent has done; not looked at for others. */
  numbers: NumbersState
  /** `h3` where the cards are a section of a page. */
  heading?: 'h2' | 'h3'
  /** Top right. */
  menu?: ReactNode
  /** The button at the foot, full width. */
  footer?: ReactNode
}

/** An agent, hired or for hire, on every page that lists agents. */
export function AgentCard({ agent, numbers, heading: Heading = 'h2', menu, footer }: AgentCardProps) {
  const nameId = useId()
  return (
    <article aria-labelledby={nameId} className="flex w-full sm:w-56">
      <Card className="flex min-w-0 grow flex-col p-5 transition-shadow hover:shadow-md">
        <div className="flex items-start justify-between">
          <AgentAvatar agent={agent} />
          {menu}
        </div>
        <Heading id={nameId} className="mt-4 truncate font-semibold" title={agent.name}>
          {agent.name}
        </Heading>
        {agent.isHired ? (
          <div className="mt-2.5 grid grow grid-cols-1 content-start gap-3.5">
            {hasUpdate(agent) && (
              <p className="flex">
                <Badge tone="brand" title={`Version ${agent.published_version ?? ''} is published`}>
                  Update available
                </Badge>
              </p>
            )}
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
