import { useQuery } from '@tanstack/react-query'
import { useContext } from 'react'
import { fetchApprovalsOf } from '@/api/approvals'
import { keys } from '@/api/query-client'
import type { Approval } from '@/api/types'
import { useChatScene } from './chat-context'
import { VersionsContext } from './versions-context'

/** When and why it was decided. Messages don't say that: it is asked for once, for all that a conversation shows. */
export function useDecision(approvalId: string): Approval | undefined {
  const { workspaceId } = useChatScene()
  const conversationId = useContext(VersionsContext).conversationId ?? ''
  const { data } = useQuery({
    queryKey: [...keys.approvals(workspaceId), 'of', conversationId],
    queryFn: ({ signal }) => fetchApprovalsOf(workspaceId, conversationId, signal),
    enabled: conversationId !== '',
  })
  return data?.find(({ id }) => id === approvalId)
}
