// All tools that an agent can be given: those that Baton brings along, and those that people here defined.
import { useMemo } from 'react'
import type { Agent, AgentTool, Tool, ToolType } from '@/api/types'
import { useWorkspaceAgents } from '@/hooks/use-agent-lists'
import { useBuiltInTools, useTools } from '@/hooks/use-tools'
import { sentenceCase } from '@/lib/text'
import { words } from '@/words/en/tools'

export type ToolKind = 'built-in' | ToolType | 'unknown'

/** What a tool can't do without: a search engine, its target, values of secrets, a version of Baton that has it, itself. */
export type Lack = 'engine' | 'target' | 'secrets' | 'version' | 'itself'

export interface KnownTool {
  /** What stands in an agent's `tools`. */
  id: string
  /** Everything that means the same tool: `leads` and `tasks` are both the CRM. */
  ids: readonly string[]
  kind: ToolKind
  name: string
  description: string
  icon: string | null
  available: boolean
  /** Why it is not available. */
  lacks?: Lack
  /** Where a handoff leads. */
  targetId?: string
}

/** What is said of a tool that is not available, wherever it is listed. */
export function missingWords({ lacks = 'itself' }: Pick<KnownTool, 'lacks'>): string {
  return words.lacks[lacks]
}

/** `details`: tools as the server describes them, of as many agents as there are. */
export function knownTools(details: readonly AgentTool[], defined: readonly Tool[]): KnownTool[] {
  const builtIn = new Map<string, KnownTool>()
  const isDefined = new Set(defined.map(({ name }) => name))
  for (const { id, toolName, name, description, icon, available, unavailableBecause, server } of details) {
    if (toolName === null || isDefined.has(id) || DEFINED_BY_PEOPLE.has(server ?? '')) continue
    const ids = [...new Set([toolName, ...(builtIn.get(toolName)?.ids ?? []), id])]
    const lacks = available ? undefined : unavailableBecause === 'no_search_engine' ? 'engine' : 'version'
    builtIn.set(toolName, { id: toolName, ids, kind: 'built-in', name, description: description ?? '', icon, available, lacks })
  }
  const usableFirst = [...builtIn.values()].sort(
    (a, b) => Number(b.available) - Number(a.available) || a.name.localeCompare(b.name),
  )
  return [...usableFirst, ...defined.map(definedTool)]
}

/** The groups that the server has for tools that people define: one that is still listed when it is gone is none of Baton's. */
const DEFINED_BY_PEOPLE = new Set(['handoff-tools', 'mcp-servers', 'http-tools', 'supabase-tools', 'preset-tools'])

const LOOKS: Record<ToolType, Pick<KnownTool, 'icon'>> = {
  handoff: { icon: 'ArrowRightLeft' },
  mcp_server: { icon: 'Plug' },
  http_api: { icon: 'Globe' },
  supabase_rpc: { icon: 'Database' },
  internal: { icon: 'SlidersHorizontal' },
}

export function definedTool(tool: Tool): KnownTool {
  const { name, type, description } = tool
  const lacks = lackOf(tool)
  return {
    id: name,
    ids: [name],
    kind: type,
    name,
    description,
    ...LOOKS[type],
    available: lacks === undefined,
    lacks,
    ...(tool.type === 'handoff' && { targetId: tool.config.target_agent_id }),
  }
}

function lackOf(tool: Tool): Lack | undefined {
  if (tool.type === 'handoff') return tool.config.target_agent_slug === null ? 'target' : undefined
  return tool.missing_secrets.length > 0 ? 'secrets' : undefined
}

/**
 * What an agent of the catalog lists besides what Baton brings along: handoffs and questions. They come with its team, so
 * that a workspace may well not have them; `known` are those of the one that looks.
 */
export function broughtTools(ids: readonly string[], known: readonly KnownTool[]): KnownTool[] {
  return ids
    .filter((id) => !known.some((tool) => tool.kind === 'built-in' && tool.ids.includes(id)))
    .map((id) => ({
      id,
      ids: [id],
      kind: 'built-in',
      name: sentenceCase(id),
      description: known.find((tool) => tool.ids.includes(id))?.description ?? words.comesWithItsTeam,
      icon: 'Users',
      available: true,
    }))
}

/** What an agent lists that nobody here knows, such as a tool that was deleted. */
export function unknownTools(ids: readonly string[], known: readonly KnownTool[]): KnownTool[] {
  return ids
    .filter((id) => !known.some((tool) => tool.ids.includes(id)))
    .map((id) => ({
      id,
      ids: [id],
      kind: 'unknown',
      name: id,
      description: words.noToolOfThisName,
      icon: null,
      available: false,
      lacks: 'itself',
    }))
}

export function hasTool(ids: readonly string[], tool: KnownTool): boolean {
  return ids.some((id) => tool.ids.includes(id))
}

export function withTool(ids: readonly string[], tool: KnownTool, has: boolean): string[] {
  const others = ids.filter((id) => !tool.ids.includes(id))
  return has ? [...others, tool.id] : others
}

export function agentsWith(agents: readonly Agent[], tool: Pick<KnownTool, 'ids'>): Agent[] {
  return agents.filter((agent) => agent.tools.some((id) => tool.ids.includes(id)))
}

/** The tools that agents here can be given. By which other ids a built-in one goes is learned from agents that have it. */
export function useKnownTools() {
  const agents = useWorkspaceAgents()
  const defined = useTools()
  const builtIn = useBuiltInTools()
  const tools = useMemo<KnownTool[]>(
    () => knownTools([...(builtIn.data ?? []), ...(agents.data?.agents ?? []).flatMap(({ toolDetails }) => toolDetails)], defined.data ?? []),
    [agents.data, builtIn.data, defined.data],
  )
  return {
    tools,
    isPending: agents.isPending || defined.isPending,
    isFetching: agents.isFetching || defined.isFetching,
    error: agents.error ?? defined.error,
    refetch: () => Promise.all([agents.refetch(), defined.refetch()]),
  }
}
