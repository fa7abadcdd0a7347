import { useMutation, useQueryClient } from '@tanstack/react-query'
import { hireAgent } from '@/api/agents'
import { ApiError } from '@/api/errors'
import { keys } from '@/api/query-client'
import type { Agent } from '@/api/types'
import { notify } from '@/lib/notices'
import { useWorkspace } from './use-workspace'

export function useHireAgent() {
  const queryClient = useQueryClient()
  const workspace = useWorkspace()
  return useMutation({
    mutationFn: async (agent: Agent) => {
      try {
        await hireAgent(workspace.id, agent.id)
      } catch (error) {
        // A colleague was faster: the wish has come true all the same.
        if (!(error instanceof ApiError && error.status === 409)) throw error
      }
    },
    onSuccess: async (_, agent) => {
      notify(`${agent.name} is hired.`)
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: keys.agents(workspace.id) }),
        queryClient.invalidateQueries({ queryKey: keys.agentStats(workspace.id) }),
      ])
    },
  })
}
