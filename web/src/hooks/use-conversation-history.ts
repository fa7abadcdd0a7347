import { type InfiniteData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import * as conversations from '@/api/conversations'
import { messageOf } from '@/api/errors'
import { keys } from '@/api/query-client'
import type { Conversation, ListedConversation } from '@/api/types'
import { exportConversation, type ExportFormat } from '@/chat/export/export-conversation'
import { download } from '@/lib/download'
import { notify } from '@/lib/toasts'
import { isLive, publish } from '@/live/workspace-events'
import { words } from '@/words/en/hooks'

const PAGE_SIZE = 40

type Page = conversations.ConversationPage

interface History {
  workspaceId: string
  of: conversations.Of
  search?: string
  pageSize?: number
}

/** The person's conversations, all or those with an agent or a team, the newest first. */
export function useConversationHistory({ workspaceId, of, search = '', pageSize = PAGE_SIZE }: History) {
  const whose = of === 'all' ? of : 'teamId' in of ? of.teamId : of.agentId
  const query = useInfiniteQuery({
    queryKey: [...keys.conversations(workspaceId, whose), search],
    queryFn: ({ pageParam: before, signal }) =>
      conversations.fetchConversations(workspaceId, of, { search, before, limit: pageSize }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })
  return { ...query, conversations: query.data?.pages.flatMap((page) => page.conversations) ?? [] }
}

/** Shown under its new name at once, and under the old one again if that is refused. */
export function useRenameConversation(workspaceId: string) {
  const queryClient = useQueryClient()
  const everywhere = [...keys.workspaces, workspaceId, 'conversations']
  return useMutation({
    mutationFn: ({ id, title }: { id: string; title: string }) => conversations.renameConversation(id, title),
    onMutate: async ({ id, title }) => {
      await queryClient.cancelQueries({ queryKey: everywhere })
      const before = queryClient.getQueriesData<InfiniteData<Page>>({ queryKey: everywhere })
      queryClient.setQueriesData<InfiniteData<Page>>({ queryKey: everywhere }, (data) =>
        changeConversations(data, (list) => list.map((one) => (one.id === id ? { ...one, title } : one))),
      )
      return before
    },
    onError: (error, _, before) => {
      before?.forEach(([key, data]) => {
        queryClient.setQueryData(key, data)
      })
      notify(messageOf(error), 'error')
    },
    onSuccess: (_, { id }) => {
      void queryClient.invalidateQueries({ queryKey: keys.latestConversations(workspaceId) })
      // A chat that is open hears of it from the server, but visitors hear nothing.
      if (!isLive()) publish({ type: 'conversation_changed', conversationId: id })
    },
  })
}

export function useDeleteConversation(workspaceId: string) {
  const queryClient = useQueryClient()
  const everywhere = [...keys.workspaces, workspaceId, 'conversations']
  return useMutation({
    mutationFn: async (id: string) => {
      await conversations.deleteConversation(id)
      return id
    },
    onSuccess: (id) => {
      queryClient.setQueriesData<InfiniteData<Page>>({ queryKey: everywhere }, (data) =>
        changeConversations(data, (list) => list.filter((one) => one.id !== id)),
      )
      void queryClient.invalidateQueries({ queryKey: keys.latestConversations(workspaceId) })
      void queryClient.invalidateQueries({ queryKey: keys.agentStats(workspaceId) })
    },
  })
}

function changeConversations(
  data: InfiniteData<Page> | undefined,
  change: (list: ListedConversation[]) => ListedConversation[],
): InfiniteData<Page> | undefined {
  if (data === undefined) return undefined
  return { ...data, pages: data.pages.map((page) => ({ ...page, conversations: change(page.conversations) })) }
}

/** Saves a conversation as a file. */
export function useExportConversation(conversation: Conversation) {
  return useMutation({
    mutationFn: async (format: ExportFormat) => {
      download(await exportConversation(conversation, format))
    },
    onSuccess: () => {
      notify(words.theConversationIsExported)
    },
    onError: (error) => {
      notify(messageOf(error), 'error')
    },
  })
}
