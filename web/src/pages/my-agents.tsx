import { PencilRuler, Plus } from 'lucide-react'
import { Link } from 'wouter'
import { AgentGrid, AgentGridSkeleton, NoneHired } from '@/components/agents/agent-grid'
import { Page } from '@/components/layout/page'
import { buttonClass } from '@/components/ui/button'
import { ErrorState } from '@/components/ui/error-state'
import { useWorkspace } from '@/hooks/use-workspace'
import { useWorkspaceAgents } from '@/hooks/use-agent-lists'
import { counted } from '@/lib/text'
import { useAgents } from '@/providers/agents-provider'

export default function MyAgentsPage() {
  const workspace = useWorkspace()
  const { myAgents, isLoading } = useAgents()
  const { data, error, refetch, isFetching } = useWorkspaceAgents()
  const failed = error !== null && data === undefined
  return (
    <Page
      title="My Agents"
      description={`The agents that work in ${workspace.name}`}
      actions={
        <div className="flex flex-wrap gap-2">
          <Link to="/agents/new" className={buttonClass('secondary')}>
            <PencilRuler aria-hidden className="size-4" />
            Create an agent
          </Link>
          <Link to="/agents/discover" className={buttonClass()}>
            <Plus aria-hidden className="size-4" />
            Discover More
          </Link>
        </div>
      }
    >
      <p role="status" className={myAgents.length > 0 ? 'mb-4 text-sm text-muted' : 'sr-only'}>
        {isLoading ? 'Loading agents' : failed ? '' : counted(myAgents.length, 'agent')}
      </p>
      {isLoading && <AgentGridSkeleton />}
      {failed && (
        <ErrorState
          title="The agents could not be loaded"
          error={error}
          onRetry={() => void refetch()}
          retrying={isFetching}
        />
      )}
      {data !== undefined && myAgents.length === 0 && <NoneHired />}
      {myAgents.length > 0 && <AgentGrid agents={myAgents} />}
    </Page>
  )
}
