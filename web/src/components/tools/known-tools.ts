// All tools that an agent can be given: those that Baton brings along, and those that people here defined.
import { useMemo } from 'react'
import type { Agent, AgentTool, Tool } from '@/api/types'
import { useWorkspaceAgents } from '@/hooks/use-agent-lists'
import { useBuiltInTools, useTools } from '@/hooks/use-tools'
import { sentenceCase } from '@/lib/text'
import { words } from '@/words/en/tools'

export interface KnownTool {
  /** What stands in an agent's `tools`. */
  id: string
  /** Everything that means the same tool: `leads` and `tasks` are both the CRM. */
  ids: readonly string[]
  kind: 'built-in' | 'handoff' | 'unknown'
  name: string
  description: string
  icon: string | null
  available: boolean
  /** It would be, if somebody set up a search engine. */
  lacksEngine?: boolean
  /** Where a handoff leads. */
  targetId?: string
}

/** What is said of a tool that is not available, wherever it is listed. */
export function missingWords({ kind, lacksEngine }: KnownTool): string {
  return lacksEngine === true ? words.noSearchEngine : words.missingWords[kind]
}

/** `details`: tools as the server describes them, of as many agents as there are. */
export function knownTools(details: readonly AgentTool[], defined: readonly Tool[]): KnownTool[] {
  const builtIn = new Map<string, KnownTool>()
  const isDefined = new Set(defined.map(({ name }) => name))
  for (const { id, toolName, name, description, icon, available, unavailableBecause, server } of details) {
    if (toolName === null || isDefined.has(id) || server === 'handoff-tools') continue
    const ids = [...new Set([toolName, ...(builtIn.get(toolName)?.ids ?? []), id])]
    const lacksEngine = unavailableBecause === 'no_search_engine'
    builtIn.set(toolName, { id: toolName, ids, kind: 'built-in', name, description: description ?? '', icon, available, lacksEngine })
  }
  const usableFirst = [...builtIn.values()].sort(
    (a, b) => Number(b.available) - Number(a.available) || a.name.localeCompare(b.name),
  )
  return [...usableFirst, ...defined.map(handoffTool)]
}

function handoffTool({ name, description, config }: Tool): KnownTool {
  return {
    id: name,
    ids: [name],
    kind: 'handoff',
    name,
    description,
    icon: 'ArrowRightLeft',
    available: config.target_agent_slug !== null,
    targetId: config.target_agent_id,
  }
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
