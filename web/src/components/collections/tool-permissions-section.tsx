import type { ReactNode } from 'react'
import { SectionList, SettingsSection } from '@/components/forms/section'
import { SelectField } from '@/components/ui/fields'
import { TextLink } from '@/components/ui/text-link'
import { usePermissions } from '@/hooks/use-permissions'
import { useToolsOfServers } from '@/hooks/use-server-tools'
import { type DecidedTool, type Level, useToolPermissions } from '@/hooks/use-tool-permissions'
import { useTools } from '@/hooks/use-tools'
import { words } from '@/words/en/collections'
import { words as toolsWords } from '@/words/en/tools'
import { rich } from '@/words/rich'
import { say } from '@/words/say'
import { type Decidable, decidableTools } from './decidable-tools'

function whatItIs({ raw_name, tool_id, of, type }: Decidable): ReactNode {
  if (raw_name === null) return type && toolsWords.kinds[type]
  return rich(words.ofServer, { server: <TextLink to={`/agents/tools/${tool_id}`}>{of}</TextLink> })
}

interface ToolPermissionsSectionProps {
  agentId: string
  /** What the agent lists, as it is saved. */
  toolNames: readonly string[]
}

/** For each tool that people defined and the agent has: whether it may be used without asking, only after asking, or never. */
export function ToolPermissionsSection({ agentId, toolNames }: ToolPermissionsSectionProps) {
  const { isAdmin } = usePermissions()
  const { query, decide } = useToolPermissions(agentId)
  const { data: tools = [] } = useTools()
  const had = tools.filter(({ name }) => toolNames.includes(name))
  const lists = useToolsOfServers(isAdmin ? had.filter(({ type }) => type === 'mcp_server').map(({ id }) => id) : [])
  const rows = decidableTools({ tools, had, lists, decided: query.data ?? [] })
  // Without such tools there is nothing to decide.
  if (rows.length === 0) return null
  const isFor = (row: Decidable, tool: DecidedTool) => row.tool_id === tool.tool_id && row.raw_name === tool.raw_name
  return (
    <SettingsSection
      id="tool-permissions"
      title={words.toolPermissions}
      description={isAdmin ? words.toolPermissionsDescription : words.toolPermissionsOnlyAdmins}
    >
      <SectionList query={query} what="permissions" isEmpty={false} empty="">
        {rows.map((row) => {
          const level = query.data?.find((tool) => isFor(row, tool))?.level
          const pending = decide.isPending && isFor(row, decide.variables.tool) ? (decide.variables.level ?? '') : undefined
          const shown = pending ?? level ?? ''
          return (
            <li key={`${row.tool_id} ${row.raw_name ?? ''}`} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 first:pt-0">
              <div className="min-w-0 grow basis-56 text-sm">
                <p className="font-medium wrap-anywhere">{row.raw_name === null ? <TextLink to={`/agents/tools/${row.tool_id}`}>{row.name}</TextLink> : row.name}</p>
                <p className="text-muted wrap-anywhere">{row.isHad ? whatItIs(row) : words.itDoesntHaveIt}</p>
              </div>
              <SelectField<Level | ''>
                label={say(words.permissionForName, { name: row.name })}
                labelHidden
                className="w-full sm:w-56"
                value={shown}
                disabled={!isAdmin}
                onChange={(next) => {
                  decide.mutate({ tool: { tool_id: row.tool_id, raw_name: row.raw_name }, level: next === '' ? null : next })
                }}
              >
                <option value="">{words.asItsModeSays}</option>
                <option value="always">{words.levels.always}</option>
                <option value="ask">{words.levels.ask}</option>
                <option value="never">{words.levels.never}</option>
              </SelectField>
            </li>
          )
        })}
      </SectionList>
    </SettingsSection>
  )
}
