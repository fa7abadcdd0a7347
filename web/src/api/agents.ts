import { client, unwrap } from './client'
import type { AgentPage, AgentStats } from './types'

export interface AgentFilters {
  search?: string
  hired_only?: boolean
  limit?: number
  offset?: number
}

export function fetchAgents(workspaceId: string, filters: AgentFilters, signal?: AbortSignal): Promise<AgentPage> {
  return unwrap(client.GET('/api/agents', { params: { query: { workspaceId, ...filters } }, signal }))
}

export function fetchAgentStats(workspaceId: string, signal?: AbortSignal): Promise<AgentStats> {
  return unwrap(client.GET('/api/agents/stats', { params: { query: { workspaceId } }, signal }))
}

export async function hireAgent(workspaceId: string, agentId: string): Promise<void> {
  await unwrap(client.POST('/api/agents/{id}/hire', { params: { path: { id: agentId } }, body: { workspaceId } }))
}

/** Takes the id in the catalog, as `hireAgent` does. */
export async function unhireAgent(workspaceId: string, agentId: string): Promise<void> {
  const params = { path: { id: agentId }, query: { workspaceId } }
  await unwrap(client.DELETE('/api/agents/{id}/unhire', { params }))
}
