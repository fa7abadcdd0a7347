import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { fetchAllAgents } from '@/api/agents'
import { keys } from '@/api/query-client'
import { ALL_HIRED } from '@/hooks/agent-cache'
import { useSession } from '@/hooks/use-session'
import { useWorkspace } from '@/hooks/use-workspace'
import { fromAgent } from './chat-agent'

/** The agents of the workspace that one can talk to, or is told why not. */
export function useChatAgents() {
  const workspace = useWorkspace()
  const { tier } = useSession().profile
  const query = useQuery({
    queryKey: keys.agentList(workspace.id, ALL_HIRED),
    queryFn: ({ signal }) => fetchAllAgents(workspace.id, ALL_HIRED, signal),
  })
  const hired = query.data?.agents
  const agents = useMemo(() => (hired ?? []).map((agent) => fromAgent(agent, tier)), [hired, tier])
  return { ...query, hired: hired ?? [], agents }
}
