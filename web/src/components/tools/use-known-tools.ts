import { useMemo } from 'react'
import { useEveryAgent } from '@/hooks/use-every-agent'
import { useBuiltInTools, useTools } from '@/hooks/use-tools'
import { type KnownTool, knownTools } from './known-tools'

/** The tools that agents here can be given. By which other ids a built-in one goes is learned from agents that have it. */
export function useKnownTools() {
  const agents = useEveryAgent()
  const defined = useTools()
  const builtIn = useBuiltInTools()
  const tools = useMemo<KnownTool[]>(
    () => knownTools([...(builtIn.data ?? []), ...(agents.data ?? []).flatMap(({ toolDetails }) => toolDetails)], defined.data ?? []),
    [agents.data, builtIn.data, defined.data],
  )
  return {
    tools,
    isPending: agents.isPending || defined.isPending,
    isFetching: agents.isFetching || defined.isFetching,
    error: agents.error ?? defined.error,
    refetch: () => Promise.all([agents.refetch(), defined.refetch()]),
  }
}
