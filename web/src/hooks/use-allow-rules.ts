// The tools that an agent may use without asking.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { client, unwrap } from '@/api/client'
import { messageOf } from '@/api/errors'
import { keys } from '@/api/query-client'
import type { components } from '@/api/schema'
import { notify } from '@/lib/toasts'
import { useWorkspace } from './use-workspace'

export type AllowRule = components['schemas']['AllowRule']
type AllowRules = components['schemas']['AllowRuleList']

export function useAllowRules(agentId: string) {
  const workspace = useWorkspace()
  const queryClient = useQueryClient()
  const queryKey = [...keys.agent(workspace.id, agentId), 'allow-rules']
  const query = useQuery({ queryKey, queryFn: ({ signal }) => fetchAllowRules(agentId, signal) })
  const done = {
    onError: (error: Error) => {
      notify(messageOf(error), 'error')
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  }
  const make = useMutation({ mutationFn: (toolName: string) => makeAllowRule(agentId, toolName), ...done })
  const takeBack = useMutation({ mutationFn: (toolName: string) => takeBackAllowRule(agentId, toolName), ...done })
  return { query, make, takeBack }
}

/** What an agent may use without asking, and the tools that it has. */
function fetchAllowRules(agentId: string, signal?: AbortSignal): Promise<AllowRules> {
  return unwrap(client.GET('/api/agents/{id}/allow-rules', { params: { path: { id: agentId } }, signal }))
}

function makeAllowRule(agentId: string, tool_name: string): Promise<AllowRule> {
  return unwrap(client.POST('/api/agents/{id}/allow-rules', { params: { path: { id: agentId } }, body: { tool_name } }))
}

async function takeBackAllowRule(agentId: string, toolName: string): Promise<void> {
  const params = { path: { id: agentId }, query: { toolName } }
  await unwrap(client.DELETE('/api/agents/{id}/allow-rules', { params }))
}
