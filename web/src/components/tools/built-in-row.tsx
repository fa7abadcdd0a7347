import type { Agent } from '@/api/types'
import { Card } from '@/components/ui/card'
import { Skeleton } from '@/components/ui/skeleton'
import { usePermissions } from '@/hooks/use-permissions'
import { words } from '@/words/en/tools'
import { say } from '@/words/say'
import { agentsWith, type KnownTool } from './known-tools'
import { needOf, setUpWords } from './set-up'
import { ToolRow } from './tool-row'

/** A tool that Baton brings along. */
export function BuiltInRow({ tool, agents }: { tool: KnownTool; agents: readonly Agent[] }) {
  const { isAdmin } = usePermissions()
  const users = agentsWith(agents, tool)
  const need = needOf({ known: tool })
  return (
    <ToolRow tool={tool} note={need && <span className="text-sm text-foreground">{setUpWords({ known: tool }, need, isAdmin)}</span>}>
      <span className="shrink-0 pt-0.5 text-xs text-muted" title={users.map(({ name }) => name).join(', ')}>
        {say(words.countAgents, { count: users.length })}
      </span>
    </ToolRow>
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
