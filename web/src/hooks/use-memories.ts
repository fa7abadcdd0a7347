import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { fetchMemories } from '@/api/memories'
import { keys } from '@/api/query-client'
import type { MemoryScope } from '@/api/types'
import { useWorkspace } from './use-workspace'

const PAGE_SIZE = 20

/** What an agent remembers, page by page. */
export function useMemories(agentId: string, { search, scope }: { search: string; scope: MemoryScope | '' }) {
  const workspace = useWorkspace()
  const filters = { search: search || undefined, scope: scope || undefined, limit: PAGE_SIZE }
  const query = useInfiniteQuery({
    queryKey: [...keys.memories(workspace.id, agentId), filters],
    queryFn: ({ pageParam, signal }) => fetchMemories(agentId, { ...filters, offset: pageParam }, signal),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const seen = pages.reduce((count, page) => count + page.memories.length, 0)
      return last.memories.length > 0 && seen < last.total ? seen : undefined
    },
    placeholderData: (previous) => previous,
  })
  return {
    ...query,
    memories: query.data?.pages.flatMap((page) => page.memories) ?? [],
    total: query.data?.pages.at(-1)?.total ?? 0,
  }
}

export function useRefreshMemories(agentId: string) {
  const workspace = useWorkspace()
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: keys.memories(workspace.id, agentId) })
}
