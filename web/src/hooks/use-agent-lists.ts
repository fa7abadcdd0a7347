// The agents of a workspace and of its catalog. They are read once and shared: whoever needs some of them selects those.
import { type InfiniteData, type QueryClient, useQuery } from '@tanstack/react-query'
import { type AgentFilters, fetchAllAgents } from '@/api/agents'
import { keys } from '@/api/query-client'
import type { Agent, AgentPage } from '@/api/types'
import { useWorkspace } from './use-workspace'

const NONE: AgentFilters = {}

/** All of them, hired or not. Shared by everything that asks with the same filters. */
export function useWorkspaceAgents(filters: AgentFilters = NONE) {
  const workspace = useWorkspace()
  return useQuery(workspaceAgentsQuery(workspace.id, filters))
}

export function workspaceAgentsQuery(workspaceId: string, filters: AgentFilters) {
  return {
    queryKey: keys.agentList(workspaceId, filters),
    queryFn: ({ signal }: { signal: AbortSignal }) => fetchAllAgents(workspaceId, filters, signal),
  }
}

/** Those that work in the workspace: one can talk to them, hand off to them, put them into a team or give them a tool. */
export function useHiredAgents() {
  const workspace = useWorkspace()
  return useQuery({ ...workspaceAgentsQuery(workspace.id, NONE), select: hiredOf })
}

/** One that is being hired has no id of its own yet. */
export function hiredOf({ agents }: AgentPage): Agent[] {
  return agents.filter(({ isHired, localAgentId }) => isHired && localAgentId !== null)
}

type Undo = () => void

/**
 * Changes an agent in every list that is cached, before the server has said yes. Gives back what puts everything as it was, if it
 * says no.
 */
export async function changeAgentLists(
  queryClient: QueryClient,
  workspaceId: string,
  change: (agent: Agent) => Agent,
): Promise<Undo> {
  const queryKey = keys.agents(workspaceId)
  // An answer on its way would undo the change too early.
  await queryClient.cancelQueries({ queryKey })
  const before = queryClient.getQueriesData({ queryKey })
  for (const [key, data] of before) {
    if (isPage(data)) queryClient.setQueryData(key, changePage(data, change))
    else if (isPages(data)) {
      queryClient.setQueryData(key, { ...data, pages: data.pages.map((page) => changePage(page, change)) })
    }
  }
  return () => {
    for (const [key, data] of before) queryClient.setQueryData(key, data)
  }
}

function changePage(page: AgentPage, change: (agent: Agent) => Agent): AgentPage {
  return { ...page, agents: page.agents.map(change) }
}

function isPage(data: unknown): data is AgentPage {
  return typeof data === 'object' && data !== null && 'agents' in data
}

function isPages(data: unknown): data is InfiniteData<AgentPage> {
  return typeof data === 'object' && data !== null && 'pages' in data
}
