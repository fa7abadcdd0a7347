import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { followWorkspace } from '@/api/chat'
import { ApiError } from '@/api/errors'
import { readEvents } from '@/api/event-stream'
import { endSession, isOfWorkspace, isSessionLost, keys } from '@/api/query-client'
import type { NoticeEvent } from '@/api/types'
import { backoff, pause } from './backoff'
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
  const channels = (...what: string[]): QueryKey => [...keys.channels(workspaceId), ...what]
  const conversations = [of('conversations'), keys.latestConversations(workspaceId)]
  switch (notice.type) {
    case 'turn_started':
      return conversations
    case 'turn_ended':
      return [...conversations, keys.agentStats(workspaceId), keys.usage, keys.transitions, keys.tasks]
    case 'approval_required':
    case 'approval_resolved':
      // A conversation runs, or waits for a person.
      return [...conversations, keys.approvals(workspaceId), keys.agentStats(workspaceId)]
    case 'switched':
      return [...conversations, keys.transitions]
    case 'conversation_changed':
      return [...conversations, keys.conversation(workspaceId, notice.conversationId)]
    case 'data_changed':
    case 'import_changed':
      return [keys.data(workspaceId)]
    case 'channel_changed':
      return [channels('list'), channels('one', notice.channelId), channels('members', notice.channelId), channels('mentions')]
    case 'channel_message':
      return [channels('list'), channels('one', notice.channelId), channels('messages', notice.channelId), channels('message', notice.channelId)]
    case 'mentioned':
      return [channels('list'), channels('mentions')]
    case 'workspace_changed':
    case 'reset':
      // One's own role may have changed with it.
      return [keys.session]
  }
}

function invalidate(queryClient: QueryClient, workspaceId: string, notice: NoticeEvent): void {
  for (const queryKey of staleKeys(workspaceId, notice)) void queryClient.invalidateQueries({ queryKey })
  if (notice.type !== 'workspace_changed' && notice.type !== 'reset') return
  void queryClient.invalidateQueries({ predicate: ({ queryKey }) => isOfWorkspace(queryKey, workspaceId) })
}

function browserSharing(workspaceId: string): Sharing {
  return {
    follow: (hear, signal) => followNotices(workspaceId, hear, signal),
    // Not there in an insecure context, whatever the types say.
    locks: (navigator as Partial<Navigator>).locks ?? null,
    openChannel: 'BroadcastChannel' in window ? (name) => new BroadcastChannel(name) : null,
  }
}

// Stays connected to /api/events. It repeats nothing, so what was said before a connection that isn't the first try was
// missed: a `reset`, read again.

/** Until the signal aborts. Rejects when the server refuses: trying again wouldn't help. */
async function followNotices(workspaceId: string, hear: (notice: NoticeEvent) => void, signal: AbortSignal): Promise<void> {
  let failures = 0
  for (let isFirstTry = true; !signal.aborted; isFirstTry = false) {
    try {
      const body = await followWorkspace(workspaceId, signal)
      if (!isFirstTry) hear({ type: 'reset' })
      for await (const { data } of readEvents(body)) {
        failures = 0
        hear(JSON.parse(data) as NoticeEvent)
      }
    } catch (error) {
      if (isRefused(error)) throw error
    }
    failures++
    await pause(backoff(failures), signal)
  }
}

function isRefused(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429 && error.status !== 408
}
