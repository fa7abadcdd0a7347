import { useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { keys } from '@/api/query-client'
import type { Agent, Tool } from '@/api/types'
import { ItemMenu } from '@/components/forms/row-menu'
import { buttonClass } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { EmptyState } from '@/components/ui/empty-state'
import { usePermissions } from '@/hooks/use-permissions'
import { deleteTool } from '@/hooks/use-tools'
import { useWorkspace } from '@/hooks/use-workspace'
import { notify } from '@/lib/toasts'
import { words } from '@/words/en/tools'
import { say } from '@/words/say'
import { agentsWith, knownTools } from './known-tools'
import { ToolRow } from './tool-row'

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
          title={words.noHandoffToolsYet}
          action={
            <Link to="/agents/tools/new" className={buttonClass('secondary')}>
              <Plus aria-hidden className="size-4" />
              {words.newHandoffTool}
            </Link>
          }
        >
          {words.withOneAnAgentPasses}
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
                <Link to={`/agents/tools/${tool.id}`} className={buttonClass('ghost', 'sm')} aria-label={say(words.viewName, { name: tool.name })}>
                  {words.view}
                </Link>
              )}
            </HandoffRow>
          </li>
        ))}
      </ul>
      {deleting && (
        <ConfirmDialog
          title={say(words.deleteNameQuestion, { name: deleting.tool.name })}
          description={deletionWords(agentsWith(agents, { ids: [deleting.tool.name] }).length)}
          opener={deleting.opener}
          onClose={() => {
            setDeleting(null)
          }}
          onConfirm={async () => {
            await deleteTool(deleting.tool.id)
            await queryClient.invalidateQueries({ queryKey: keys.tools(workspace.id) })
            notify(say(words.nameIsDeleted, { name: deleting.tool.name }))
          }}
        />
      )}
    </Card>
  )
}

function deletionWords(users: number): string {
  return users === 0 ? words.noAgentHasIt : say(words.countAgentsThatHaveIt, { count: users })
}

interface HandoffRowProps {
  tool: Tool
  agents: readonly Agent[]
  /** At the end of the row. */
  children: ReactNode
}

/** A handoff tool: where it leads, what it passes along, and who has it. */
function HandoffRow({ tool, agents, children }: HandoffRowProps) {
  const [known] = knownTools([], [tool])
  const target = agents.find(({ localAgentId }) => localAgentId === tool.config.target_agent_id)
  const users = agentsWith(agents, { ids: [tool.name] })
  const passes = tool.config.context_variables.map(({ name }) => name)
  if (known === undefined) return null
  return (
    <ToolRow
      tool={known}
      note={
        <>
          {target && <>{say(words.leadsToName, { name: target.name })} </>}
          {passes.length > 0 && <>{say(words.passesVariables, { variables: passes.join(', ') })} </>}
          {users.length === 0 ? words.noAgentHasItYet : say(words.usedByAgents, { agents: users.map(({ name }) => name).join(', ') })}
        </>
      }
    >
      {children}
    </ToolRow>
  )
}
