import { client, unwrap } from './client'
import type { NewRule, Rule, RuleChanges } from './types'

export async function fetchRules(workspaceId: string, signal?: AbortSignal): Promise<Rule[]> {
  return (await unwrap(client.GET('/api/rules', { params: { query: { workspaceId } }, signal }))).rules
}

export function createRule(workspaceId: string, rule: NewRule): Promise<Rule> {
  return unwrap(client.POST('/api/rules', { body: { ...rule, workspaceId } }))
}

export function changeRule(id: string, body: RuleChanges): Promise<Rule> {
  return unwrap(client.PATCH('/api/rules/{id}', { params: { path: { id } }, body }))
}

export async function deleteRule(id: string): Promise<void> {
  await unwrap(client.DELETE('/api/rules/{id}', { params: { path: { id } } }))
}
