import type { ReactNode } from 'react'
import { Button } from '@/components/ui/button'
import { ErrorState } from '@/components/ui/error-state'
import type { useAgentList } from '@/hooks/use-agent-list'
import { counted } from '@/lib/text'
import { AgentGrid } from './agent-grid'
import { AgentGridSkeleton } from './agent-grid-skeleton'

interface AgentListProps {
  list: ReturnType<typeof useAgentList>
  /** What stands above them, if not how many there are. */
  summary?: string
  /** What stands there when no agent does. */
  empty: ReactNode
}

/** A list of agents in each of its states: loading, failed, empty, shown, with more to come. */
export function AgentList({ list, summary, empty }: AgentListProps) {
  const { agents, total, isPending, isError, isPlaceholderData } = list
  const failed = isError && agents.length === 0
  return (
    <>
      <p role="status" className={agents.length > 0 ? 'mb-4 text-sm text-muted' : 'sr-only'}>
        {isPending ? 'Loading agents' : failed ? '' : (summary ?? counted(total, 'agent'))}
      </p>
      {isPending && <AgentGridSkeleton />}
      {failed && (
        <ErrorState
          title="The agents could not be loaded"
          error={list.error}
          onRetry={() => void list.refetch()}
          retrying={list.isFetching}
        />
      )}
      {!isPending && !failed && agents.length === 0 && empty}
      {agents.length > 0 && (
        <div className={isPlaceholderData ? 'opacity-60 transition-opacity' : 'transition-opacity'}>
          <AgentGrid agents={agents} />
        </div>
      )}
      {list.hasNextPage && (
        <div className="mt-8 flex justify-center">
          <Button variant="secondary" pending={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </>
  )
}
