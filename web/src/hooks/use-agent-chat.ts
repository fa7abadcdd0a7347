import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { isGone } from '@/api/errors'
import { endSession, isSessionLost, keys } from '@/api/query-client'
import type { AgentPage } from '@/api/types'
import type { Outgoing } from '@/chat/message-queue'
import { ChatSession } from '@/chat/session'
import type { ChatView } from '@/chat/store'
import type { AgentMessage, ChatStatus, UseAgentChatOptions, UseAgentChatReturn } from '@/chat/types'

/** A chat with an agent or a team: its messages as they are said, and what a person can do. */
export function useAgentChat(options: UseAgentChatOptions): UseAgentChatReturn {
  const session = useChatSession(options)
  const { store } = session
  const view = useSyncExternalStore(store.subscribe, store.getSnapshot)
  const { onConversationCreated, onForked, onError, agentId = '', workspaceId } = options
  const queryClient = useQueryClient()

  useEffect(() => {
    session.listen({ onConversationCreated, onForked, onError })
  }, [session, onConversationCreated, onForked, onError])
  useEffect(() => session.start(), [session])

  const lost = [view.error, view.loadError].find(isSessionLost)
  useEffect(() => {
    leaveIfLost(queryClient, lost)
  }, [lost, queryClient])

  const goneId = isGone(view.loadError) ? view.conversationId : null
  useEffect(() => {
    if (goneId !== null) queryClient.removeQueries({ queryKey: keys.conversation(workspaceId, goneId) })
  }, [goneId, workspaceId, queryClient])

  const { state, sending } = view
  const speaksTo = state.active?.agentId ?? agentId
  const unsure = useMemo(() => (sending === null ? null : optimistic(sending, speaksTo)), [sending, speaksTo])
  const messages = useMemo(() => (unsure === null ? state.messages : [...state.messages, unsure]), [state.messages, unsure])
  const actions = useMemo(() => actionsOf(session, queryClient, workspaceId), [session, queryClient, workspaceId])
  const status = statusOf(view)
  return {
    ...actions,
    messages,
    status,
    error: view.error,
    conversationId: view.conversationId,
    sessionId: state.sessionId,
    isStreaming: status === 'streaming',
    usage: state.usage,
    sendMessage: session.sending.send,
    clearMessages: session.clear,
    stopGeneration: session.stop,
    setMessages: session.setMessages,
    isLoading: view.isLoading,
    loadError: view.loadError,
    reload: session.reload,
    isWaiting: state.turn === 'waiting',
    connection: view.connection,
    title: view.title,
    familyId: view.familyId,
    teamId: view.teamId,
    isSubtask: view.isSubtask,
    hasOlder: view.hasOlder,
    isLoadingOlder: view.isLoadingOlder,
    loadOlder: session.reading.older,
    queued: view.queue,
    removeQueued: session.sending.remove,
    endedAs: state.endedAs,
    sendQueued: session.sending.next,
    problem: state.problem,
    active: state.active,
    switches: state.switches,
    suggestion: state.suggestion,
    dismissSuggestion: session.dismissSuggestion,
    notice: state.notice,
    trouble: state.trouble,
    versions: view.versions,
    wroteSince: session.wroteSince,
  }
}

/** What a person does, one thing at a time, and learns at once if the server no longer knows them. */
function actionsOf(session: ChatSession, queryClient: QueryClient, workspaceId: string) {
  const watched =
    <Args extends unknown[]>(act: (...args: Args) => Promise<void>) =>
    (...args: Args) =>
      act(...args).catch((error: unknown) => {
        leaveIfLost(queryClient, error)
        throw error
      })
  return {
    retry: watched(session.retry),
    approve: watched(session.approve),
    reject: watched(session.reject),
    editMessage: watched(session.edit),
    regenerate: watched(session.regenerate),
    switchAgent: watched((id: string) => session.switchAgent(id, (agent) => nameOf(queryClient, workspaceId, agent))),
  }
}

function leaveIfLost(queryClient: QueryClient, error: unknown): void {
  // Visitors have no session to lose.
  if (isSessionLost(error) && queryClient.getQueryData(keys.session)) endSession(queryClient)
}

/** The session of the conversation that is asked for. One that has just got its id goes on. */
function useChatSession({ workspaceId, agentId, teamId, conversationId = null, initialMessages }: UseAgentChatOptions): ChatSession {
  const open = () => ({ asked: conversationId, session: new ChatSession({ workspaceId, agentId, teamId, conversationId }, initialMessages) })
  const [current, setCurrent] = useState(open)
  const { place, store } = current.session
  const isElsewhere = place.workspaceId !== workspaceId || place.agentId !== agentId || place.teamId !== teamId
  const isOther = conversationId !== current.asked && conversationId !== store.view.conversationId
  if (isElsewhere || isOther) {
    const next = open()
    setCurrent(next)
    return next.session
  }
  if (conversationId !== current.asked) setCurrent({ ...current, asked: conversationId })
  return current.session
}

function statusOf({ isBeginning, sending, state, error }: ChatView): ChatStatus {
  if (isBeginning || (sending !== null && state.turn !== 'running')) return 'connecting'
  if (state.turn === 'running') return 'streaming'
  return error !== null || state.problem !== null ? 'error' : 'idle'
}

function optimistic({ id, content, attachments }: Outgoing, agentId: string): AgentMessage {
  const parts: AgentMessage['parts'] = [{ type: 'text', text: content }]
  return { id, role: 'user', content, parts, attachments, agentId, createdAt: new Date(), status: 'complete', attempt: 1 }
}

/** What the app has already read about an agent. */
function nameOf(queryClient: QueryClient, workspaceId: string, agentId: string): string | undefined {
  const pages = queryClient.getQueriesData<Partial<AgentPage>>({ queryKey: keys.agents(workspaceId) })
  return pages.flatMap(([, page]) => page?.agents ?? []).find(({ localAgentId }) => localAgentId === agentId)?.name
}
