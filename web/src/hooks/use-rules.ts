import { useMutation, useQueryClient } from '@tanstack/react-query'
import { $api, client, unwrap } from '@/api/client'
import { messageOf } from '@/api/errors'
import { keys } from '@/api/query-client'
import type { NewRule, Rule, RuleChanges } from '@/api/types'
import { notify } from '@/lib/toasts'
import { useWorkspace } from './use-workspace'

export function useRules() {
  const workspace = useWorkspace()
  return $api.useQuery('get', '/api/rules', { params: { query: { workspaceId: workspace.id } } }, { select: ({ rules }) => rules })
}

/** Rules are part of what an agent is told, so both are read again. */
export function useRefreshRules() {
  const workspace = useWorkspace()
  const queryClient = useQueryClient()
  return () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: keys.rules(workspace.id) }),
      queryClient.invalidateQueries({ queryKey: keys.agents(workspace.id) }),
    ])
}

export function useChangeRule() {
  const refresh = useRefreshRules()
  return useMutation({
    mutationFn: ({ id, changes }: { id: string; changes: RuleChanges }) => changeRule(id, changes),
    onSuccess: refresh,
    onError: (error) => {
      notify(messageOf(error), 'error')
    },
  })
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
