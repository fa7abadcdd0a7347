import { useQuery } from '@tanstack/react-query'
import { fetchAgent } from '@/api/agents'
import { keys } from '@/api/query-client'
import { useFollowInto, useWorkspace } from './use-workspace'

export function useAgentDetail(id: string) {
  const workspace = useWorkspace()
  return useQuery({
    queryKey: keys.agent(workspace.id, id),
    queryFn: ({ signal }) => fetchAgent(workspace.id, id, signal),
  })
}

/**
 * For an agent that is not here: goes to where it works, if this person does too. `isFollowing` while that isn't known, and on the way.
 * `evenLetGo`: or worked, for what was said there.
 */
export function useFollowAgent(id: string, isMissing: boolean, { evenLetGo = false } = {}) {
  const { data, error, isLoading, errorUpdateCount } = useQuery({
    queryKey: keys.agentAnywhere(id),
    queryFn: ({ signal }) => fetchAgent(undefined, id, signal),
    enabled: isMissing,
  })
  const isThere = isMissing && (data?.isHired === true || evenLetGo)
  const isFollowing = useFollowInto(isThere ? data?.localAgent?.workspace_id : undefined)
  // What was refused once is asked again when the tab is looked at; that takes nothing off the screen.
  return { isFollowing: (isLoading && errorUpdateCount === 0) || isFollowing, error }
}
