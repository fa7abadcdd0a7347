import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { fetchAgent, hireAgent, unhireAgent } from '@/api/agents'
import { ApiError, messageOf } from '@/api/errors'
import { keys } from '@/api/query-client'
import type { LocalAgent, Workspace } from '@/api/types'
import { changeAgentLists } from '@/hooks/use-agent-lists'
import { notify } from '@/lib/toasts'
import { words as common } from '@/words/en/common'
import { words } from '@/words/en/hooks'
import { say } from '@/words/say'

/** Hires and lets go. The lists change at once and back again when the server refuses. */
export function useHiring(workspace: Workspace) {
  const queryClient = useQueryClient()
  const { id: workspaceId, name } = workspace

  // Not waited for: the lists are as they will be already.
  const settle = () => {
    void queryClient.invalidateQueries({ queryKey: keys.agents(workspaceId) })
    void queryClient.invalidateQueries({ queryKey: keys.agentStats(workspaceId) })
  }

  const { mutateAsync: startHire } = useMutation({
    mutationFn: (agentId: string) => hireOrFind(workspaceId, agentId),
    onMutate: (agentId) => {
      const hiredAt = new Date().toISOString()
      return changeAgentLists(queryClient, workspaceId, (agent) =>
        agent.id === agentId ? { ...agent, isHired: true, hiredAt } : agent,
      )
    },
    onSuccess: async (local, agentId) => {
      await changeAgentLists(queryClient, workspaceId, (agent) =>
        agent.id === agentId ? { ...agent, localAgentId: local.id, hiredAt: local.hired_at } : agent,
      )
      notify(say(words.nameIsHired, { name: local.name }))
    },
    onError: takeBack,
    onSettled: settle,
  })

  const { mutateAsync: startUnhire } = useMutation({
    mutationFn: ({ id }: { id: string; agentName: string | undefined }) => letGo(workspaceId, id),
    onMutate: ({ id }) =>
      changeAgentLists(queryClient, workspaceId, (agent) =>
        agent.localAgentId === id ? { ...agent, isHired: false, localAgentId: null, hiredAt: null } : agent,
      ),
    onSuccess: (_, { agentName }) => {
      notify(say(words.agentNameNoLongerWorksIn, { agentName: agentName ?? common.theAgent, name }))
    },
    onError: takeBack,
    onSettled: settle,
  })

  const hire = useCallback((agentId: string) => startHire(agentId).catch(() => null), [startHire])
  const unhire = useCallback(
    (id: string, agentName: string | undefined) => startUnhire({ id, agentName }).catch(() => undefined),
    [startUnhire],
  )
  return { hire, unhire }
}

function takeBack(error: Error, _: unknown, undo: (() => void) | undefined): void {
  undo?.()
  notify(messageOf(error), 'error')
}

async function letGo(workspaceId: string, localAgentId: string): Promise<void> {
  try {
    await unhireAgent(workspaceId, localAgentId)
  } catch (error) {
    // Someone else let it go already: the wish has come true all the same.
    if (!(error instanceof ApiError && error.status === 404)) throw error
  }
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
