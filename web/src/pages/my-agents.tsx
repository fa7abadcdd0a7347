import { PencilRuler, Plus } from 'lucide-react'
import { Link } from 'wouter'
import { AgentGrid, AgentGridSkeleton, NoneHired } from '@/components/agents/agent-grid'
import { Page } from '@/components/layout/page'
import { buttonClass } from '@/components/ui/button'
import { ErrorState } from '@/components/ui/error-state'
import { useWorkspace } from '@/hooks/use-workspace'
import { useWorkspaceAgents } from '@/hooks/use-agent-lists'
import { useAgents } from '@/providers/agents-provider'
import { words } from '@/words/en/agents'
import { words as common } from '@/words/en/common'
import { say } from '@/words/say'

export default function MyAgentsPage() {
  const workspace = useWorkspace()
  const { myAgents, isLoading } = useAgents()
  const { data, error, refetch, isFetching } = useWorkspaceAgents()
  const failed = error !== null && data === undefined
  return (
    <Page
      title={common.myAgents}
      description={say(words.myAgentsDescription, { name: workspace.name })}
      actions={
        <div className="flex flex-wrap gap-2">
          <Link to="/agents/new" className={buttonClass('secondary')}>
            <PencilRuler aria-hidden className="size-4" />
            {words.createAnAgent}
          </Link>
          <Link to="/agents/discover" className={buttonClass()}>
            <Plus aria-hidden className="size-4" />
            {words.discoverMore}
          </Link>
        </div>
      }
    >
      <p role="status" className={myAgents.length > 0 ? 'mb-4 text-sm text-muted' : 'sr-only'}>
        {isLoading ? words.loadingAgents : failed ? '' : say(words.countAgents, { count: myAgents.length })}
      </p>
      {isLoading && <AgentGridSkeleton />}
      {failed && (
        <ErrorState
          title={words.theAgentsCouldNotBe}
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
