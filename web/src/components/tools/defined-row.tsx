import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { keys } from '@/api/query-client'
import type { Agent, ServerToolList, Tool, ToolServer } from '@/api/types'
import { ItemMenu } from '@/components/forms/row-menu'
import { Badge } from '@/components/ui/badge'
import { buttonClass } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { usePermissions } from '@/hooks/use-permissions'
import { deleteTool } from '@/hooks/use-tools'
import { useWorkspace } from '@/hooks/use-workspace'
import { hostOf } from '@/lib/text'
import { notify } from '@/lib/toasts'
import { words } from '@/words/en/tools'
import { say } from '@/words/say'
import { agentsWith, type KnownTool } from './known-tools'
import { needOf, setUpWords } from './set-up'
import { ToolRow } from './tool-row'

interface DefinedRowProps {
  tool: Tool
  known: KnownTool
  server: ServerToolList | undefined
  agents: readonly Agent[]
}

/** A tool that people here defined: of which type it is, where it leads, and who has it. */
export function DefinedRow({ tool, known, server, agents }: DefinedRowProps) {
  const workspace = useWorkspace()
  const queryClient = useQueryClient()
  const { isAdmin, mayChangeTool } = usePermissions()
  const [opener, setOpener] = useState<{ element: HTMLElement | null }>()
  const path = `/agents/tools/${tool.id}`
  const users = agentsWith(agents, { ids: [tool.name] })
  const need = needOf({ known, defined: tool, server })
  return (
    <>
      <ToolRow
        tool={known}
        to={path}
        badges={server && <ServerBadges list={server} />}
        note={
          <>
            {need !== undefined && <span className="mb-0.5 block text-sm text-foreground">{setUpWords({ known, defined: tool, server }, need, isAdmin)}</span>}
            {whereWords(tool, agents)} {users.length === 0 ? words.noAgentHasItYet : say(words.usedByAgents, { agents: users.map(({ name }) => name).join(', ') })}
          </>
        }
      >
        {mayChangeTool(tool) ? (
          <ItemMenu
            name={tool.name}
            path={path}
            onDelete={(element) => {
              setOpener({ element })
            }}
          />
        ) : (
          <Link to={path} className={buttonClass('ghost', 'sm')} aria-label={say(words.viewName, { name: tool.name })}>
            {words.view}
          </Link>
        )}
      </ToolRow>
      {opener !== undefined && (
        <ConfirmDialog
          title={say(words.deleteNameQuestion, { name: tool.name })}
          description={users.length === 0 ? words.noAgentHasIt : say(words.countAgentsThatHaveIt, { count: users.length })}
          opener={opener.element}
          onClose={() => {
            setOpener(undefined)
          }}
          onConfirm={async () => {
            await deleteTool(tool.id)
            await queryClient.invalidateQueries({ queryKey: keys.tools(workspace.id) })
            notify(say(words.nameIsDeleted, { name: tool.name }))
          }}
        />
      )}
    </>
  )
}

/** What is allowed of a server, and what is held back. */
function ServerBadges({ list }: { list: ServerToolList }) {
  const count = (state: string) => list.tools.filter((tool) => tool.state === state).length
  const [allowed, changed] = [count('allowed'), count('changed')]
  return (
    <>
      {allowed > 0 && <Badge tone="success">{say(words.countAllowed, { count: allowed })}</Badge>}
      {changed > 0 && <Badge tone="warning">{say(words.countHeldBack, { count: changed })}</Badge>}
    </>
  )
}

function serverWords(config: ToolServer['config']): string {
  switch (config.transport) {
    case 'http':
      return hostOf(config.url)
    case 'stdio':
      return config.program
    case 'configured':
      return config.server
  }
}

/** Where it leads, on one line. */
function whereWords(tool: Tool, agents: readonly Agent[]): string {
  switch (tool.type) {
    case 'handoff': {
      const target = agents.find(({ localAgentId }) => localAgentId === tool.config.target_agent_id)
      const passes = tool.config.context_variables.map(({ name }) => name)
      const parts = [target && say(words.leadsToName, { name: target.name }), passes.length > 0 && say(words.passesVariables, { variables: passes.join(', ') })]
      return parts.filter((part) => typeof part === 'string').join(' ')
    }
    case 'http_api':
      return say(words.asks, { what: `${tool.config.method} ${tool.config.url}` })
    case 'supabase_rpc':
      return say(words.asks, { what: `${tool.config.function}() · ${hostOf(tool.config.base_url)}` })
    case 'internal':
      return say(words.madeFrom, { tool: tool.config.tool })
    case 'mcp_server':
      return say(words.connectsTo, { where: serverWords(tool.config) })
  }
}
