import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { client, unwrap } from '@/api/client'
import { keys } from '@/api/query-client'
import type { Memory, MemoryPage, MemoryScope } from '@/api/types'
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

interface MemoryFilters {
  search?: string
  scope?: MemoryScope
  limit?: number
  offset?: number
}

function fetchMemories(agentId: string, filters: MemoryFilters, signal?: AbortSignal): Promise<MemoryPage> {
  const params = { path: { id: agentId }, query: filters }
  return unwrap(client.GET('/api/agents/{id}/memories', { params, signal }))
}

interface MemoryText {
  path: string
  content: string
}

export function createMemory(agentId: string, body: MemoryText & { scope: MemoryScope }): Promise<Memory> {
  return unwrap(client.POST('/api/agents/{id}/memories', { params: { path: { id: agentId } }, body }))
}

export function changeMemory(agentId: string, memoryId: string, body: MemoryText): Promise<Memory> {
  const params = { path: { id: agentId, memoryId } }
  return unwrap(client.PATCH('/api/agents/{id}/memories/{memoryId}', { params, body }))
}

export async function deleteMemory(agentId: string, memoryId: string): Promise<void> {
  const params = { path: { id: agentId, memoryId } }
  await unwrap(client.DELETE('/api/agents/{id}/memories/{memoryId}', { params }))
}
