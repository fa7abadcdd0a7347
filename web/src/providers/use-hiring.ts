import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { fetchAgent, hireAgent, unhireAgent } from '@/api/agents'
import { ApiError, messageOf } from '@/api/errors'
import { keys } from '@/api/query-client'
import type { LocalAgent, Workspace } from '@/api/types'
import { notify } from '@/lib/notices'
import { changeAgentLists } from './agent-cache'

/** Hires and lets go. The lists change at once and back again when the server refuses. */
export function useHiring(workspace: Workspace) {
  const queryClient = useQueryClient()
  const { id: workspaceId, name } = workspace

  const settle = useCallback(async () => {
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: keys.agents(workspaceId) }),
      queryClient.invalidateQueries({ queryKey: keys.agentStats(workspaceId) }),
    ])
  }, [queryClient, workspaceId])

  const hire = useCallback(
    async (agentId: string): Promise<LocalAgent | null> => {
      const hiredAt = new Date().toISOString()
      const undo = await changeAgentLists(queryClient, workspaceId, (agent) =>
        agent.id === agentId ? { ...agent, isHired: true, hiredAt } : agent,
      )
      try {
        const local = await hireOrFind(workspaceId, agentId)
        await changeAgentLists(queryClient, workspaceId, (agent) =>
          agent.id === agentId ? { ...agent, localAgentId: local.id, hiredAt: local.hired_at } : agent,
        )
        notify(`${local.name} is hired.`)
        return local
      } catch (error) {
        undo()
        notify(messageOf(error), 'error')
        return null
      } finally {
        void settle()
      }
    },
    [queryClient, workspaceId, settle],
  )

  const unhire = useCallback(
    async (localAgentId: string): Promise<void> => {
      let gone: string | undefined
      const undo = await changeAgentLists(queryClient, workspaceId, (agent) => {
        if (agent.localAgentId !== localAgentId) return agent
        gone = agent.name
        return { ...agent, isHired: false, localAgentId: null, hiredAt: null }
      })
      try {
        await unhireAgent(workspaceId, localAgentId)
        notify(`${gone ?? 'The agent'} no longer works in ${name}.`)
      } catch (error) {
        // Someone else let it go already: the wish has come true all the same.
        if (error instanceof ApiError && error.status === 404) return
        undo()
        notify(messageOf(error), 'error')
      } finally {
        void settle()
      }
    },
    [queryClient, workspaceId, name, settle],
  )

  return { hire, unhire }
}

async function hireOrFind(workspaceId: string, agentId: string): Promise<LocalAgent> {
  try {
    return await hireAgent(workspaceId, agentId)
  } catch (error) {
    // A colleague was faster: the wish has come true all the same.
    if (!(error instanceof ApiError && error.status === 409)) throw error
    const { localAgent } = await fetchAgent(workspaceId, agentId)
    if (localAgent === null) throw error
    return localAgent
  }
}
