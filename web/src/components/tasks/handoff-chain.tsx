import { ArrowRightLeft } from 'lucide-react'
import { Fragment } from 'react'
import { Link } from 'wouter'
import type { Task, TaskTree } from '@/api/types'
import { triggerWords } from '@/api/words'
import { AgentAvatar } from '@/components/agents/agent-avatar'
import { PassedContext } from '@/components/chat/handoff-marker'
import { Card } from '@/components/ui/card'
import { duration } from '@/lib/amounts'
import { sentenceCase } from '@/lib/text'
import { useAgents } from '@/providers/agents-provider'
import { words } from '@/words/en/tasks'
import { rich } from '@/words/rich'
import { say } from '@/words/say'
import { chain, type ChainLink } from './chain'
import { TaskStatus, UsageLine } from './task-status'

/** The agents that worked on it, in order: from the left on wide screens, from the top on small ones. */
export function HandoffChain({ tree }: { tree: TaskTree }) {
  return (
    <div
      role="group"
      aria-label={words.chainOfAgents}
      // Keyboards can only scroll what they can reach.
      tabIndex={0}
      className="relative flex flex-col overflow-x-auto rounded-lg pb-1 lg:flex-row lg:items-start"
    >
      {chain(tree).map(({ task, handoff, router }) => (
        <Fragment key={task.id}>
          {handoff !== undefined && <ChainConnector handoff={handoff} />}
          <div className="shrink-0">
            <ChainNode task={task} router={router} conversationId={tree.conversation_id} />
          </div>
        </Fragment>
      ))}
    </div>
  )
}

interface ChainNodeProps extends Pick<ChainLink, 'task' | 'router'> {
  /** Of the chain; one that was asked something has another. */
  conversationId: string
}

/** One agent's part, and what it took. */
function ChainNode({ task, router, conversationId }: ChainNodeProps) {
  const { getLocalAgentById } = useAgents()
  const agent = getLocalAgentById(task.agent_id) ?? { slug: task.agent_id, avatar_url: null }
  return (
    <Card className="w-full p-4 lg:w-52">
      <div className="flex items-center gap-3">
        <AgentAvatar agent={agent} size="sm" />
        <h3 dir="auto" className="min-w-0 font-semibold wrap-anywhere">{nameOf(task)}</h3>
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
          {rich(words.ofItTheRouter, { usage: <UsageLine usage={router} /> })}
        </p>
      )}
      {task.conversation_id !== conversationId && (
        <Link
          to={`/agents/${task.agent_id}?conversation=${task.conversation_id}`}
          className="mt-2 inline-block text-xs font-medium text-brand hover:underline"
        >
          {words.whatWasAsked}
        </Link>
      )}
    </Card>
  )
}

function nameOf(task: Task): string {
  return task.agent_name ?? words.anAgentThatIsGone
}

/** The way from one agent to the next: what set it off, and what was passed along. */
function ChainConnector({ handoff }: { handoff: NonNullable<ChainLink['handoff']> }) {
  const { trigger, reason, stage, context } = handoff
  return (
    <div className="flex gap-3 px-4 py-1 lg:max-w-80 lg:min-w-40 lg:flex-1 lg:flex-col lg:px-0 lg:py-4">
      <svg aria-hidden viewBox="0 0 12 100" preserveAspectRatio="none" className="min-h-14 w-3 shrink-0 text-control lg:hidden">
        <path d="M6 0 V96 M1.5 91 L6 98 L10.5 91" fill="none" stroke="currentColor" strokeWidth="1.5" vectorEffect="non-scaling-stroke" />
      </svg>
      {/* As long as there is room: the point stays whole, the line is cut at its beginning. */}
      <svg aria-hidden viewBox="0 0 400 12" preserveAspectRatio="xMaxYMid slice" className="hidden h-3 w-full shrink-0 text-control lg:block">
        <path d="M0 6 H394 M389 1.5 L395 6 L389 10.5" fill="none" stroke="currentColor" strokeWidth="1.5" />
      </svg>
      <div className="min-w-0 grow py-2 text-xs lg:px-2.5 lg:py-0">
        <p className="flex items-start gap-1.5 font-medium text-brand">
          <ArrowRightLeft aria-hidden className="mt-px size-3.5 shrink-0" />
          {triggerWords(trigger)}
        </p>
        {stage !== undefined && <p className="mt-1 text-muted wrap-anywhere">{say(words.nextStageStage, { stage: sentenceCase(stage) })}</p>}
        {reason !== undefined && <p dir="auto" className="mt-1 line-clamp-6 text-muted wrap-anywhere">“{reason}”</p>}
        <PassedContext className="mt-1.5" boxed values={context} />
      </div>
    </div>
  )
}
