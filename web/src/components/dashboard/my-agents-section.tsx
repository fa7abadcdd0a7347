import { Plus } from 'lucide-react'
import { Link } from 'wouter'
import { AgentCard, MeetAgent } from '@/components/agents/agent-card'
import { NoneHired } from '@/components/agents/agent-grid'
import { Card } from '@/components/ui/card'
import { ErrorState } from '@/components/ui/error-state'
import { Section } from '@/components/ui/section'
import { Skeleton } from '@/components/ui/skeleton'
import { ViewAll } from '@/components/ui/text-link'
import { useAgentNumbers } from '@/hooks/use-agent-stats'
import { useWorkspaceAgents } from '@/hooks/use-agent-lists'
import { useAgents } from '@/providers/agents-provider'
import { words as common } from '@/words/en/common'
import { words } from '@/words/en/dashboard'

/** The hired agents in a row that scrolls sideways. */
export function MyAgentsSection() {
  const { myAgents, isLoading } = useAgents()
  const { data, error, refetch, isFetching } = useWorkspaceAgents()
  const numbersOf = useAgentNumbers()
  return (
    <Section title={common.myAgents} action={myAgents.length > 0 && <ViewAll to="/agents/hired" of="agents" />}>
      {isLoading && <AgentRowSkeleton />}
      {error !== null && data === undefined && (
        <ErrorState
          title={words.theAgentsCouldNotBe}
          error={error}
          onRetry={() => void refetch()}
          retrying={isFetching}
        />
      )}
      {data !== undefined && myAgents.length === 0 && (
        <Card>
          <NoneHired />
        </Card>
      )}
      {myAgents.length > 0 && (
        <ul
          aria-label={words.myAgents}
          // Keyboards can only scroll what they can reach.
          tabIndex={0}
          className="relative -mx-4 flex snap-x scroll-px-4 gap-5 overflow-x-auto px-4 pt-1 pb-4 sm:-mx-8 sm:scroll-px-8 sm:px-8"
        >
          {myAgents.map((agent) => (
            <li key={agent.id} className="flex w-56 shrink-0 snap-start">
              <AgentCard heading="h3" agent={agent} numbers={numbersOf(agent)} footer={<MeetAgent agent={agent} />} />
            </li>
          ))}
          <li className="flex w-56 shrink-0 snap-start">
            <Link
              to="/agents/discover"
              className="flex min-h-40 grow flex-col items-center justify-center gap-2 rounded-lg border border-dashed border-control text-sm font-medium text-muted transition-colors hover:bg-subtle hover:text-foreground"
            >
              <Plus aria-hidden className="size-5" />
              {words.discoverMore}
            </Link>
          </li>
        </ul>
      )}
    </Section>
  )
}

function AgentRowSkeleton() {
  return (
    <div role="status" className="flex gap-5 overflow-hidden">
      <span className="sr-only">{words.loadingAgents}</span>
      {Array.from({ length: 4 }, (_, index) => (
        <Skeleton key={index} className="h-64 w-56 shrink-0 rounded-lg" />
      ))}
    </div>
  )
}
