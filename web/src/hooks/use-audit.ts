import { useInfiniteQuery } from '@tanstack/react-query'
import { keys } from '@/api/query-client'
import { fetchAudit } from '@/api/workspaces'
import { useWorkspace } from './use-workspace'

const PAGE_SIZE = 50

/** What happened in the workspace, the newest first. */
export function useAudit() {
  const { id } = useWorkspace()
  const query = useInfiniteQuery({
    queryKey: keys.audit(id),
    queryFn: ({ pageParam, signal }) => fetchAudit(id, { limit: PAGE_SIZE, offset: pageParam }, signal),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const seen = pages.reduce((count, page) => count + page.events.length, 0)
      return last.events.length > 0 && seen < last.total ? seen : undefined
    },
  })
  return { ...query, events: query.data?.pages.flatMap(({ events }) => events) ?? [] }
}
