import { useMutation, useQueryClient } from '@tanstack/react-query'
import { unhireAgent } from '@/api/agents'
import { ApiError } from '@/api/errors'
import { keys } from '@/api/query-client'
import type { Agent } from '@/api/types'
import { notify } from '@/lib/notices'
import { useWorkspace } from './use-workspace'

export function useUnhireAgent() {
  const queryClient = useQueryClient()
  const workspace = useWorkspace()
  return useMutation({
    mutationFn: async (agent: Agent) => {
      try {
        await unhireAgent(workspace.id, agent.id)
      } catch (error) {
        // Someone else let it go already: the wish has come true all the same.
        if (!(error instanceof ApiError && error.status === 404)) throw error
      }
    },
    onSuccess: async (_, agent) => {
      notify(`${agent.name} no longer works in ${workspace.name}.`)
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: keys.agents(workspace.id) }),
        queryClient.invalidateQueries({ queryKey: keys.agentStats(workspace.id) }),
      ])
    },
  })
}
