import { useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { keys } from '@/api/query-client'
import { deleteTool } from '@/api/tools'
import type { Agent, Tool } from '@/api/types'
import { ItemMenu } from '@/components/forms/item-menu'
import { buttonClass } from '@/components/ui/button-class'
import { Card } from '@/components/ui/card'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { EmptyState } from '@/components/ui/empty-state'
import { usePermissions } from '@/hooks/use-permissions'
import { useWorkspace } from '@/hooks/use-workspace'
import { counted } from '@/lib/text'
import { notify } from '@/lib/toasts'
import { HandoffRow } from './handoff-row'
import { agentsWith } from './known-tools'

interface HandoffListProps {
  tools: readonly Tool[]
  agents: readonly Agent[]
}

/** The handoff tools that people here defined. */
export function HandoffList({ tools, agents }: HandoffListProps) {
  const workspace = useWorkspace()
  const queryClient = useQueryClient()
  const { mayChange } = usePermissions()
  const [deleting, setDeleting] = useState<{ tool: Tool; opener: HTMLElement | null } | null>(null)
  if (tools.length === 0) {
    return (
      <Card>
        <EmptyState
          icon="🔀"
          title="No handoff tools yet"
          action={
            <Link to="/agents/tools/new" className={buttonClass('secondary')}>
              <Plus aria-hidden className="size-4" />
              New handoff tool
            </Link>
          }
        >
          With one, an agent passes a conversation on to a colleague, together with the facts it needs.
        </EmptyState>
      </Card>
    )
  }
  return (
    <Card>
      <ul className="divide-y divide-border">
        {tools.map((tool) => (
          <li key={tool.id}>
            <HandoffRow tool={tool} agents={agents}>
              {mayChange(tool) ? (
                <ItemMenu
                  name={tool.name}
                  path={`/agents/tools/${tool.id}`}
                  onDelete={(opener) => {
                    setDeleting({ tool, opener })
                  }}
                />
              ) : (
                <Link to={`/agents/tools/${tool.id}`} className={buttonClass('ghost', 'sm')} aria-label={`View ${tool.name}`}>
                  View
                </Link>
              )}
            </HandoffRow>
          </li>
        ))}
      </ul>
      {deleting && (
        <ConfirmDialog
          title={`Delete ${deleting.tool.name}?`}
          description={deletionWords(agentsWith(agents, { ids: [deleting.tool.name] }).length)}
          opener={deleting.opener}
          onClose={() => {
            setDeleting(null)
          }}
          onConfirm={async () => {
            await deleteTool(deleting.tool.id)
            await queryClient.invalidateQueries({ queryKey: keys.tools(workspace.id) })
            notify(`${deleting.tool.name} is deleted.`)
          }}
        />
      )}
    </Card>
  )
}

function deletionWords(users: number): string {
  return users === 0 ? 'No agent has it.' : `${counted(users, 'agent')} that ${users === 1 ? 'has' : 'have'} it will go on without it.`
}
