import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { createConversation, fetchConversations } from '@/api/conversations'
import { messageOf } from '@/api/errors'
import { keys } from '@/api/query-client'
import type { Conversation } from '@/api/types'
import { notify } from '@/lib/toasts'

/** One's conversations with the agent that was asked for last. */
export function useConversations(workspaceId: string) {
  const queryClient = useQueryClient()
  const [agentId, setAgentId] = useState<string>()
  const [current, setCurrent] = useState<Conversation | null>(null)
  const { data } = useQuery({
    ...conversationsQuery(workspaceId, agentId ?? ''),
    enabled: agentId !== undefined,
  })

  const fetchLatest = useCallback(
    async (id: string) => {
      setAgentId(id)
      await queryClient.query({ ...conversationsQuery(workspaceId, id), staleTime: 0 }).catch(() => undefined)
    },
    [queryClient, workspaceId],
  )

  const { mutateAsync: create } = useMutation({
    mutationFn: (body: { agentId: string; workspaceId: string; title?: string }) => createConversation(body),
    onSuccess: (conversation, { agentId: id }) => {
      setCurrent(conversation)
      void queryClient.invalidateQueries({ queryKey: keys.conversations(workspaceId, id) })
      void queryClient.invalidateQueries({ queryKey: keys.latestConversations(workspaceId) })
    },
    onError: (error) => {
      notify(messageOf(error), 'error')
    },
  })
  const createOne = useCallback(
    (id: string, title?: string) => create({ agentId: id, workspaceId, title }).catch(() => null),
    [create, workspaceId],
  )

  return { conversations: data, current, setCurrent, fetchConversations: fetchLatest, createConversation: createOne }
}

function conversationsQuery(workspaceId: string, agentId: string) {
  return {
    queryKey: [...keys.latestConversations(workspaceId), agentId] as const,
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      fetchConversations(workspaceId, { agentId }, {}, signal).then(({ conversations }) => conversations),
  }
}
