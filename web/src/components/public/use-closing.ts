import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo } from 'react'
import { ApiError, isGone } from '@/api/errors'
import { keys } from '@/api/query-client'
import type { UseAgentChatReturn } from '@/chat/types'
import { AlreadyTold } from '@/components/chat/notify-error'

/**
 * A chat at a public address, which may be closed while it is open here. A refusal doesn't tell that, so whether the address is
 * still there is asked then. If it isn't, the page says so, and the refusal, which asks to sign in, isn't told.
 */
export function useClosing(slug: string, chat: UseAgentChatReturn): UseAgentChatReturn {
  const queryClient = useQueryClient()
  const isClosed = useCallback(async () => {
    const queryKey = keys.publicWorkspace(slug)
    await queryClient.refetchQueries({ queryKey }, { cancelRefetch: false })
    return isGone(queryClient.getQueryState(queryKey)?.error)
  }, [queryClient, slug])

  const refusal = [chat.loadError, chat.error].find(isRefusal)
  useEffect(() => {
    if (refusal !== undefined) void isClosed()
  }, [refusal, isClosed])

  const { sendMessage, retry, switchAgent } = chat
  const watched = useMemo(() => {
    const watch =
      <Args extends unknown[]>(act: (...args: Args) => Promise<void>) =>
      (...args: Args) =>
        act(...args).catch(async (error: unknown) => {
          throw isRefusal(error) && (await isClosed()) ? new AlreadyTold() : error
        })
    return { sendMessage: watch(sendMessage), retry: watch(retry), switchAgent: watch(switchAgent) }
  }, [sendMessage, retry, switchAgent, isClosed])
  return { ...chat, ...watched }
}

function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && [401, 403, 404].includes(error.status)
}
