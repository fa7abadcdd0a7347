import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { fetchAgents } from '@/api/agents'
import { keys } from '@/api/query-client'
import { fromAgent } from '@/components/chat/chat-agent'
import { useSession } from './use-session'
import { useWorkspace } from './use-workspace'

/** The most that the server gives at once. */
const ALL = { hired_only: true, limit: 200 }

/** The agents of the workspace that one can talk to, or is told why not. */
export function useChatAgents() {
  const workspace = useWorkspace()
  const { tier } = useSession().profile
  const query = useQuery({
    queryKey: keys.agentList(workspace.id, ALL),
    queryFn: ({ signal }) => fetchAgents(workspace.id, ALL, signal),
  })
  const hired = query.data?.agents
  const agents = useMemo(() => (hired ?? []).map((agent) => fromAgent(agent, tier)), [hired, tier])
  return { ...query, hired: hired ?? [], agents }
}
