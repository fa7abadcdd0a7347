import type { Agent } from '@/api/types'
import { Card } from '@/components/ui/card'
import { counted } from '@/lib/text'
import { agentsWith, type KnownTool } from './known-tools'
import { ToolRow } from './tool-row'

interface BuiltInListProps {
  tools: readonly KnownTool[]
  agents: readonly Agent[]
}

/** The tools that Baton brings along. */
export function BuiltInList({ tools, agents }: BuiltInListProps) {
  if (tools.length === 0) return <p className="text-sm text-muted">No agent here lists one.</p>
  return (
    <Card>
      <ul className="divide-y divide-border">
        {tools.map((tool) => {
          const users = agentsWith(agents, tool)
          return (
            <li key={tool.id}>
              <ToolRow tool={tool}>
                <span className="shrink-0 pt-0.5 text-xs text-muted" title={users.map(({ name }) => name).join(', ')}>
                  {counted(users.length, 'agent')}
                </span>
              </ToolRow>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
