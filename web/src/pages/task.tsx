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
import { words as common } from '@/words/en/common'
import { words } from '@/words/en/tasks'
import { rich } from '@/words/rich'

export default function TaskPage() {
  const { id = '' } = useParams()
  const { data: tree, error, isPending, isFetching, refetch } = useTask(id)
  return (
    <Page title={words.task} description={tree && request(tree)} actions={tree && <Actions tree={tree} />}>
      {isPending && <TaskSkeleton />}
      {error !== null && tree === undefined && !isGone(error) && (
        <ErrorState title={words.theTaskCouldNotBe} error={error} onRetry={() => void refetch()} retrying={isFetching} />
      )}
      {isGone(error) && tree === undefined && (
        <EmptyState icon={<FileQuestion className="size-6" />} title={words.thereIsNoSuchTask}>
          {rich(words.itWasDeleted, { link: (label) => <TextLink to={HOME_PATH}>{label}</TextLink> })}
        </EmptyState>
      )}
      {tree !== undefined && (
        <div className="grid grid-cols-1 gap-8">
          <TaskHeader tree={tree} />
          <Section title={words.whoWorkedOnIt}>
            <HandoffChain tree={tree} />
          </Section>
          <Section title={words.timeline}>
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
        {common.conversation}
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
      <span className="sr-only">{words.loadingTask}</span>
      <Skeleton className="h-20" />
      <Skeleton className="h-40" />
      <Skeleton className="h-64" />
    </div>
  )
}
