import { useQuery } from '@tanstack/react-query'
import { fetchAgents } from '@/api/agents'
import { keys } from '@/api/query-client'
import { useWorkspace } from './use-workspace'

/** The most that the server gives at once. */
const ALL = { limit: 200 }

/** All agents of the workspace and its catalog, for choosing one and for what is known about tools. */
export function useEveryAgent() {
  const workspace = useWorkspace()
  return useQuery({
    queryKey: [...keys.agents(workspace.id), 'every'],
    queryFn: async ({ signal }) => (await fetchAgents(workspace.id, ALL, signal)).agents,
  })
}

/** The agents that work in the workspace: those one can hand off to, put into a team, or give a tool. */
export function useHiredAgents() {
  const workspace = useWorkspace()
  return useQuery({
    queryKey: [...keys.agents(workspace.id), 'hired'],
    queryFn: async ({ signal }) => (await fetchAgents(workspace.id, { ...ALL, hired_only: true }, signal)).agents,
  })
}
