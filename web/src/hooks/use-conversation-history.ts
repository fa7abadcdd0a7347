import { useInfiniteQuery, useMutation, useQueryClient, type InfiniteData } from '@tanstack/react-query'
import { client, unwrap } from '@/api/client'
import { messageOf } from '@/api/errors'
import { keys } from '@/api/query-client'
import type { Conversation } from '@/api/types'
import { notify } from '@/lib/notices'

const PAGE_SIZE = 40

interface Page {
  conversations: Conversation[]
  /** Where the next page begins. */
  next: string | null
}

interface History {
  workspaceId: string
  /** The agent that took part. */
  agentId: string
  /** Only conversations with this team. */
  teamId?: string
  search?: string
}

/** The person's conversations with an agent or a team, the newest first. */
export function useConversationHistory({ workspaceId, agentId, teamId, search = '' }: History) {
  const query = useInfiniteQuery({
    queryKey: [...keys.conversations(workspaceId, teamId ?? agentId), search],
    enabled: agentId !== '',
    queryFn: ({ pageParam, signal }) => fetchPage({ workspaceId, agentId, search, before: pageParam }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })
  const all = query.data?.pages.flatMap(({ conversations }) => conversations) ?? []
  return { ...query, conversations: teamId === undefined ? all : all.filter(({ team_id }) => team_id === teamId) }
}

async function fetchPage(
  { workspaceId, agentId, search, before }: { workspaceId: string; agentId: string; search: string; before: string | null },
  signal: AbortSignal,
): Promise<Page> {
  const query = { workspaceId, agentId, limit: PAGE_SIZE, ...(search !== '' && { search }), ...(before !== null && { before }) }
  const answer = client.GET('/api/agent-conversations', { params: { query }, signal })
  const conversations = await unwrap(answer)
  return { conversations, next: nextPage((await answer).response.headers.get('Link')) }
}

/** The `before` of the address that the header names as `rel="next"`. */
export function nextPage(link: string | null): string | null {
  const address = /<([^>]+)>\s*;\s*rel="?next"?/.exec(link ?? '')?.[1]
  return address === undefined ? null : new URL(address, 'http://localhost').searchParams.get('before')
}

/** Shown under its new name at once, and under the old one again if that is refused. */
export function useRenameConversation(workspaceId: string) {
  const queryClient = useQueryClient()
  const everywhere = [...keys.workspaces, workspaceId, 'conversations']
  return useMutation({
    mutationFn: ({ id, title }: { id: string; title: string }) =>
      unwrap(client.PATCH('/api/agent-conversations/{id}', { params: { path: { id } }, body: { title } })),
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
    onSettled: (_, __, { id }) => {
      void queryClient.invalidateQueries({ queryKey: keys.conversation(workspaceId, id) })
    },
  })
}

export function useDeleteConversation(workspaceId: string) {
  const queryClient = useQueryClient()
  const everywhere = [...keys.workspaces, workspaceId, 'conversations']
  return useMutation({
    mutationFn: async (id: string) => {
      await unwrap(client.DELETE('/api/agent-conversations/{id}', { params: { path: { id } } }))
      return id
    },
    onSuccess: (id) => {
      queryClient.setQueriesData<InfiniteData<Page>>({ queryKey: everywhere }, (data) =>
        changeConversations(data, (list) => list.filter((one) => one.id !== id)),
      )
      void queryClient.invalidateQueries({ queryKey: keys.agentStats(workspaceId) })
    },
  })
}

function changeConversations(
  data: InfiniteData<Page> | undefined,
  change: (list: Conversation[]) => Conversation[],
): InfiniteData<Page> | undefined {
  if (data === undefined) return undefined
  return { ...data, pages: data.pages.map((page) => ({ ...page, conversations: change(page.conversations) })) }
}
