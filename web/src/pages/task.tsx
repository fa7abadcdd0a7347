import { FileQuestion, MessageSquare } from 'lucide-react'
import { Link, useParams } from 'wouter'
import { isGone } from '@/api/errors'
import type { TaskTree } from '@/api/types'
import { Page } from '@/components/layout/page'
import { HandoffChain } from '@/components/tasks/handoff-chain'
import { TaskHeader } from '@/components/tasks/task-header'
import { TaskTimeline } from '@/components/tasks/waterfall'
import { buttonClass } from '@/components/ui/button'
import { CopyJson } from '@/components/ui/copy'
import { EmptyState } from '@/components/ui/empty-state'
import { ErrorState } from '@/components/ui/error-state'
import { Section } from '@/components/ui/section'
import { Skeleton } from '@/components/ui/skeleton'
import { TextLink } from '@/components/ui/text-link'
import { useTask } from '@/hooks/use-records'
import { HOME_PATH } from '@/lib/paths'

export default function TaskPage() {
  const { id = '' } = useParams()
  const { data: tree, error, isPending, isFetching, refetch } = useTask(id)
  return (
    <Page title="Task" description={tree && request(tree)} actions={tree && <Actions tree={tree} />}>
      {isPending && <TaskSkeleton />}
      {error !== null && tree === undefined && !isGone(error) && (
        <ErrorState title="The task could not be loaded" error={error} onRetry={() => void refetch()} retrying={isFetching} />
      )}
      {isGone(error) && tree === undefined && (
        <EmptyState icon={<FileQuestion className="size-6" />} title="There is no such task">
          It was deleted with its conversation, or it belongs to someone else. <TextLink to={HOME_PATH}>Dashboard</TextLink>
        </EmptyState>
      )}
      {tree !== undefined && (
        <div className="grid grid-cols-1 gap-8">
          <TaskHeader tree={tree} />
          <Section title="Who worked on it">
            <HandoffChain tree={tree} />
          </Section>
          <Section title="Timeline">
            <TaskTimeline tree={tree} />
          </Section>
        </div>
      )}
    </Page>
  )
}

function Actions({ tree }: { tree: TaskTree }) {
  const agentId = tree.tasks[0]?.agent_id ?? ''
  return (
    <div className="flex flex-wrap gap-2">
      <Link to={`/agents/${agentId}?conversation=${tree.conversation_id}`} className={buttonClass('secondary', 'sm')}>
        <MessageSquare aria-hidden className="size-4" />
        Conversation
      </Link>
      <CopyJson value={tree} />
    </div>
  )
}

/** What the person asked for, as far as one line goes. */
function request(tree: TaskTree): string | undefined {
  const message = (tree.tasks[0]?.input as Record<string, unknown> | undefined)?.message
  if (typeof message !== 'string') return undefined
  return message.length > 200 ? `${message.slice(0, 200)}…` : message
}

function TaskSkeleton() {
  return (
    <div role="status" className="grid gap-8">
      <span className="sr-only">Loading task</span>
      <Skeleton className="h-20" />
      <Skeleton className="h-40" />
      <Skeleton className="h-64" />
    </div>
  )
}
