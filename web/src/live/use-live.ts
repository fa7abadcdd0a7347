import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ApiError } from '@/api/errors'
import { endSession, isSessionLost, keys } from '@/api/query-client'
import type { NoticeEvent } from '@/api/types'
import { followNotices } from './follow'
import { share, type Sharing } from './share'
import { beginLive, onNotice, publish } from './workspace-events'

/** Keeps what the app shows of a workspace up to date. Mounted once, by the frame of its pages. */
export function useLive(workspaceId: string | null): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (workspaceId === null) return
    const controller = new AbortController()
    const endLive = beginLive()
    const forget = onNotice((notice) => {
      invalidate(queryClient, workspaceId, notice)
    })
    share(workspaceId, browserSharing(workspaceId), publish, controller.signal)
      .catch((error: unknown) => {
        if (isSessionLost(error)) endSession(queryClient)
        // No member of the workspace any more.
        else if (error instanceof ApiError && error.status === 403) void queryClient.invalidateQueries({ queryKey: keys.session })
      })
      .finally(endLive)
    return () => {
      controller.abort()
      forget()
    }
  }, [queryClient, workspaceId])
}

/** What a notice makes stale. */
function staleKeys(workspaceId: string, notice: NoticeEvent): QueryKey[] {
  const of = (name: string): QueryKey => [...keys.workspaces, workspaceId, name]
  const conversations = [of('conversations'), keys.latestConversations(workspaceId)]
  switch (notice.type) {
    case 'turn_started':
      return conversations
    case 'turn_ended':
      return [...conversations, keys.agentStats(workspaceId), keys.usage(workspaceId), keys.transitions(workspaceId), of('tasks')]
    case 'approval_required':
    case 'approval_resolved':
      return [keys.approvals(workspaceId), keys.agentStats(workspaceId)]
    case 'switched':
      return [...conversations, keys.transitions(workspaceId)]
    case 'conversation_changed':
      return [...conversations, keys.conversation(workspaceId, notice.conversationId)]
    case 'workspace_changed':
    case 'reset':
      // One's own role may have changed with it.
      return [[...keys.workspaces, workspaceId], keys.session]
  }
}

function invalidate(queryClient: QueryClient, workspaceId: string, notice: NoticeEvent): void {
  for (const queryKey of staleKeys(workspaceId, notice)) void queryClient.invalidateQueries({ queryKey })
}

function browserSharing(workspaceId: string): Sharing {
  return {
    follow: (hear, signal) => followNotices(workspaceId, hear, signal),
    // Not there in an insecure context, whatever the types say.
    locks: (navigator as Partial<Navigator>).locks ?? null,
    openChannel: 'BroadcastChannel' in window ? (name) => new BroadcastChannel(name) : null,
  }
}
