import { Calendar, CheckCircle2, MessageSquare } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { Link } from 'wouter'
import type { Agent } from '@/api/types'
import { Badge } from '@/components/ui/badge'
import { Button, buttonClass } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Skeleton } from '@/components/ui/skeleton'
import type { NumbersState } from '@/hooks/use-agent-stats'
import { words } from '@/words/en/agents'
import { rich } from '@/words/rich'
import { say } from '@/words/say'
import { AgentAvatar } from './agent-avatar'
import { AgentTools } from './agent-tools'

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
        <Heading dir="auto" id={nameId} className="mt-4 truncate font-semibold" title={agent.name}>
          {agent.name}
        </Heading>
        {agent.isHired ? (
          <div className="mt-2.5 grid grow grid-cols-1 content-start gap-3.5">
            {hasUpdate(agent) && (
              <p className="flex">
                <Badge tone="brand" title={say(words.versionIsPublished, { version: agent.published_version ?? '' })}>
                  {words.updateAvailable}
                </Badge>
              </p>
            )}
            <AgentNumbers numbers={numbers} />
            <AgentTools tools={agent.toolDetails} />
          </div>
        ) : (
          <div className="mt-1 flex grow flex-col justify-between gap-4 text-sm text-muted">
            <p dir="auto" className="line-clamp-3 wrap-anywhere">{agent.description}</p>
            <p className="italic">{words.hireToGetStarted}</p>
          </div>
        )}
        {footer !== undefined && <div className="grid pt-4">{footer}</div>}
      </Card>
    </article>
  )
}

/** What a hired agent has done and will do. */
function AgentNumbers({ numbers }: { numbers: NumbersState }) {
  if (numbers === 'unavailable') return <p className="text-sm text-muted">{words.numbersAreNotAvailableRight}</p>
  if (numbers === 'loading') {
    return (
      <div className="grid gap-1.5">
        <Skeleton className="h-5 w-32" />
        <Skeleton className="h-5 w-36" />
        <Skeleton className="h-5 w-24" />
      </div>
    )
  }
  const rows = [
    { icon: MessageSquare, text: say(words.countConversations, { count: numbers.conversations }) },
    { icon: CheckCircle2, text: say(words.countTasksCompleted, { count: numbers.completedTasks }) },
    { icon: Calendar, text: say(words.countScheduled, { count: numbers.schedules }) },
  ]
  return (
    <ul className="grid gap-1.5 text-sm text-muted">
      {rows.map(({ icon: Icon, text }) => (
        <li key={text} className="flex items-center gap-2">
          <Icon aria-hidden className="size-4 shrink-0" />
          {text}
        </li>
      ))}
    </ul>
  )
}

/** The catalog has published a newer version than the workspace's copy was made from. */
function hasUpdate({ isHired, published_version, hired_version }: Agent): boolean {
  return isHired && published_version !== null && hired_version !== null && published_version > hired_version
}

/** The way to a hired agent's chat. Just hired, it has no address yet. */
export function MeetAgent({ agent }: { agent: Agent }) {
  const label = (
    <span>
      {rich(words.meetAgentName, { name: <span dir="auto" className="sr-only">{agent.name}</span> })}
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
