import { useMemo } from 'react'
import { knownTools, type KnownTool } from '@/components/tools/known-tools'
import { useEveryAgent } from './use-hired-agents'
import { useTools } from './use-tools'

/** The tools that agents here can be given. What Baton brings along is learned from the agents that have it. */
export function useKnownTools() {
  const agents = useEveryAgent()
  const defined = useTools()
  const tools = useMemo<KnownTool[]>(
    () => knownTools((agents.data ?? []).flatMap(({ toolDetails }) => toolDetails), defined.data ?? []),
    [agents.data, defined.data],
  )
  return {
    tools,
    isPending: agents.isPending || defined.isPending,
    isFetching: agents.isFetching || defined.isFetching,
    error: agents.error ?? defined.error,
    refetch: () => Promise.all([agents.refetch(), defined.refetch()]),
  }
}
