import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { messageOf } from '@/api/errors'
import { keys } from '@/api/query-client'
import { changeRule, fetchRules } from '@/api/rules'
import type { RuleChanges } from '@/api/types'
import { notify } from '@/lib/toasts'
import { useWorkspace } from './use-workspace'

export function useRules() {
  const workspace = useWorkspace()
  return useQuery({ queryKey: keys.rules(workspace.id), queryFn: ({ signal }) => fetchRules(workspace.id, signal) })
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
