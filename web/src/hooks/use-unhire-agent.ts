import { useMutation, useQueryClient } from '@tanstack/react-query'
import { unhireAgent } from '@/api/agents'
import { keys } from '@/api/query-client'
import type { Agent } from '@/api/types'
import { notify } from '@/lib/notices'
import { useWorkspace } from './use-workspace'

export function useUnhireAgent() {
  const queryClient = useQueryClient()
  const workspace = useWorkspace()
  return useMutation({
    mutationFn: (agent: Agent) => unhireAgent(workspace.id, agent.id),
    onSuccess: async (_, agent) => {
      notify(`${agent.name} no longer works in ${workspace.name}.`)
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: keys.agents(workspace.id) }),
        queryClient.invalidateQueries({ queryKey: keys.agentStats(workspace.id) }),
      ])
    },
  })
}
