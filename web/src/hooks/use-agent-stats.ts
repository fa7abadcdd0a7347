import { $api } from '@/api/client'
import type { Agent, AgentNumbers } from '@/api/types'
import { useWorkspace } from './use-workspace'

/** What the hired agents of the current workspace have done. */
export function useAgentStats() {
  const workspace = useWorkspace()
  return $api.useQuery('get', '/api/agents/stats', { params: { query: { workspaceId: workspace.id } } })
}

export type NumbersState = AgentNumbers | 'loading' | 'unavailable'

/** What each hired agent has done for this person. */
export function useAgentNumbers(): (agent: Agent) => NumbersState {
  const { data, isError } = useAgentStats()
  return ({ localAgentId }) => {
    if (data === undefined) return isError ? 'unavailable' : 'loading'
    const none = { agentId: localAgentId ?? '', conversations: 0, completedTasks: 0, schedules: 0 }
    return data.agents.find(({ agentId }) => agentId === localAgentId) ?? none
  }
}
