import { client, unwrap } from './client'
import type { components } from './schema'

export type AllowRule = components['schemas']['AllowRule']
export type AllowRules = components['schemas']['AllowRuleList']

/** What an agent may use without asking, and the tools that it has. */
export function fetchAllowRules(agentId: string, signal?: AbortSignal): Promise<AllowRules> {
  return unwrap(client.GET('/api/agents/{id}/allow-rules', { params: { path: { id: agentId } }, signal }))
}

export function makeAllowRule(agentId: string, tool_name: string): Promise<AllowRule> {
  return unwrap(client.POST('/api/agents/{id}/allow-rules', { params: { path: { id: agentId } }, body: { tool_name } }))
}

export async function takeBackAllowRule(agentId: string, toolName: string): Promise<void> {
  const params = { path: { id: agentId }, query: { toolName } }
  await unwrap(client.DELETE('/api/agents/{id}/allow-rules', { params }))
}
