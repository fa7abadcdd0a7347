// Changes an agent in every list that is cached, before the server has said yes, and back again if it says no.
import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { keys } from '@/api/query-client'
import type { Agent, AgentPage } from '@/api/types'

type Undo = () => void

/** What a chat asks for: those one can talk to, however many pages that takes. */
export const ALL_HIRED = { hired_only: true }

/** Gives back what puts everything as it was. */
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

/** Whoever has just been hired is there at once where people talk to them: the chat is opened next. */
export function addToHired(queryClient: QueryClient, workspaceId: string, agentId: string): void {
  const lists = queryClient.getQueriesData({ queryKey: keys.agents(workspaceId) }).flatMap(([, data]) => pagesOf(data))
  const hired = lists.flatMap(({ agents }) => agents).find((agent) => agent.id === agentId)
  if (hired === undefined) return
  queryClient.setQueryData<AgentPage>(keys.agentList(workspaceId, ALL_HIRED), (page) =>
    page && { ...page, agents: [...page.agents.filter(({ id }) => id !== agentId), hired] },
  )
}

function pagesOf(data: unknown): AgentPage[] {
  return isPage(data) ? [data] : isPages(data) ? data.pages : []
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
