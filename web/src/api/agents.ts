import { client, unwrap } from './client'
import type { Agent, AgentDetail, AgentPage, LocalAgent } from './types'

export interface AgentFilters {
  search?: string
  category?: Agent['category']
  department_id?: string
  hired_only?: boolean
  limit?: number
  offset?: number
}

/** The most that the server sends at once. */
const LARGEST_PAGE = 200

export function fetchAgents(workspaceId: string, filters: AgentFilters, signal?: AbortSignal): Promise<AgentPage> {
  return unwrap(client.GET('/api/agents', { params: { query: { workspaceId, ...filters, prompts: false } }, signal }))
}

/** Every agent that fits, however many pages that takes; one page where a limit is given. */
export async function fetchAllAgents(workspaceId: string, filters: AgentFilters, signal?: AbortSignal): Promise<AgentPage> {
  const first = await fetchAgents(workspaceId, { limit: LARGEST_PAGE, ...filters }, signal)
  if (filters.limit !== undefined) return first
  const agents = [...first.agents]
  while (agents.length < first.total) {
    const offset = (filters.offset ?? 0) + agents.length
    const next = await fetchAgents(workspaceId, { ...filters, limit: LARGEST_PAGE, offset }, signal)
    if (next.agents.length === 0) break
    agents.push(...next.agents)
  }
  return { ...first, agents }
}

/** Takes a hired agent's id or, in a workspace, a catalog id. */
export function fetchAgent(workspaceId: string | undefined, id: string, signal?: AbortSignal): Promise<AgentDetail> {
  const params = { path: { id }, query: { workspaceId } }
  return unwrap(client.GET('/api/agents/{id}', { params, signal }))
}

export function hireAgent(workspaceId: string, agentId: string): Promise<LocalAgent> {
  return unwrap(client.POST('/api/agents/{id}/hire', { params: { path: { id: agentId } }, body: { workspaceId } }))
}

/** Takes the id in the catalog, as `hireAgent` does, or a hired agent's own. */
export async function unhireAgent(workspaceId: string, agentId: string): Promise<void> {
  const params = { path: { id: agentId }, query: { workspaceId } }
  await unwrap(client.DELETE('/api/agents/{id}/unhire', { params }))
}
