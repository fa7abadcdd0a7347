import { Plus } from 'lucide-react'
import { Link } from 'wouter'
import { AgentList } from '@/components/agents/agent-list'
import { EmptyState } from '@/components/empty-state'
import { Page } from '@/components/layout/page'
import { buttonClass } from '@/components/ui/button-class'
import { useAgentList } from '@/hooks/use-agent-list'
import { useWorkspace } from '@/hooks/use-workspace'

export default function MyAgentsPage() {
  const workspace = useWorkspace()
  const list = useAgentList({ hiredOnly: true })
  return (
    <Page
      title="My Agents"
      description={`The agents that work in ${workspace.name}`}
      actions={
        <Link to="/agents/discover" className={buttonClass('secondary')}>
          <Plus aria-hidden className="size-4" />
          Discover More
        </Link>
      }
    >
      <AgentList
        list={list}
        empty={
          <EmptyState
            icon="✨"
            title="No agents hired yet"
            action={
              <Link to="/agents/discover" className={buttonClass()}>
                Browse Agents
              </Link>
            }
          >
            Discover and hire AI agents to help automate your work
          </EmptyState>
        }
      />
    </Page>
  )
}
