import type { Agent } from '@/api/types'
import { Card } from '@/components/ui/card'
import { Skeleton } from '@/components/ui/skeleton'
import { words } from '@/words/en/tools'
import { say } from '@/words/say'
import { agentsWith, type KnownTool } from './known-tools'
import { ToolRow } from './tool-row'

interface BuiltInListProps {
  tools: readonly KnownTool[]
  agents: readonly Agent[]
}

/** The tools that Baton brings along. */
export function BuiltInList({ tools, agents }: BuiltInListProps) {
  if (tools.length === 0) return <p className="text-sm text-muted">{words.noAgentHereListsOne}</p>
  return (
    <Card>
      <ul className="divide-y divide-border">
        {tools.map((tool) => {
          const users = agentsWith(agents, tool)
          return (
            <li key={tool.id}>
              <ToolRow tool={tool}>
                <span className="shrink-0 pt-0.5 text-xs text-muted" title={users.map(({ name }) => name).join(', ')}>
                  {say(words.countAgents, { count: users.length })}
                </span>
              </ToolRow>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}

/** Rows that are still loading. */
export function ListSkeleton({ what, rows = 3 }: { what: keyof typeof words.loading; rows?: number }) {
  return (
    <Card className="divide-y divide-border">
      <p role="status" className="sr-only">
        {words.loading[what]}
      </p>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className="flex items-start gap-3 px-4 py-3.5 sm:px-5">
          <Skeleton className="size-9 rounded-lg" />
          <div className="grid grow gap-2 py-1">
            <Skeleton className="h-4 w-40" />
            <Skeleton className="h-3.5 w-full max-w-80" />
          </div>
        </div>
      ))}
    </Card>
  )
}
