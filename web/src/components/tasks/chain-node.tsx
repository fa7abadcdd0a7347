import { Link } from 'wouter'
import type { Task } from '@/api/types'
import { AgentAvatar } from '@/components/agents/agent-avatar'
import { Card } from '@/components/ui/card'
import { duration } from '@/lib/amounts'
import { useAgents } from '@/providers/agents-provider'
import type { Link as ChainLink } from './chain'
import { TaskStatus } from './task-status'
import { UsageLine } from './usage-line'

interface ChainNodeProps extends Pick<ChainLink, 'task' | 'router'> {
  /** Of the chain; one that was asked something has another. */
  conversationId: string
}

/** One agent's part, and what it took. */
export function ChainNode({ task, router, conversationId }: ChainNodeProps) {
  const { getLocalAgentById } = useAgents()
  const agent = getLocalAgentById(task.agent_id) ?? { slug: task.agent_id, avatar_url: null }
  return (
    <Card className="w-full p-4 lg:w-52">
      <div className="flex items-center gap-3">
        <AgentAvatar agent={agent} size="sm" />
        <h3 className="min-w-0 font-semibold wrap-anywhere">{nameOf(task)}</h3>
      </div>
      <div className="mt-3 flex flex-wrap items-center gap-2">
        <TaskStatus status={task.status} />
        {task.duration_ms !== null && (
          <span className="text-xs text-muted tabular-nums">{duration(task.duration_ms)}</span>
        )}
      </div>
      <p className="mt-2 text-xs text-muted">
        <UsageLine usage={task.usage} />
      </p>
      {router !== undefined && (
        <p className="mt-2 border-t border-border pt-2 text-xs text-muted">
          Of it, the router: <UsageLine usage={router} />
        </p>
      )}
      {task.conversation_id !== conversationId && (
        <Link
          to={`/agents/${task.agent_id}?conversation=${task.conversation_id}`}
          className="mt-2 inline-block text-xs font-medium text-brand hover:underline"
        >
          What was asked
        </Link>
      )}
    </Card>
  )
}

function nameOf(task: Task): string {
  return task.agent_name ?? 'An agent that is gone'
}
