import { useInfiniteQuery } from '@tanstack/react-query'
import { fetchAgents } from '@/api/agents'
import { keys } from '@/api/query-client'
import type { Agent } from '@/api/types'
import { useWorkspace } from './use-workspace'

/** Full rows at two, three and four columns. */
const PAGE_SIZE = 48

interface Options {
  search?: string
  departmentId?: string
}

/** Those that fit, page by page. */
export function useAgentList({ search = '', departmentId }: Options = {}) {
  const workspace = useWorkspace()
  const filters = { search: search.trim() || undefined, department_id: departmentId, limit: PAGE_SIZE }
  const query = useInfiniteQuery({
    queryKey: keys.agentList(workspace.id, filters),
    queryFn: ({ pageParam, signal }) => fetchAgents(workspace.id, { ...filters, offset: pageParam }, signal),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const seen = pages.reduce((count, page) => count + page.agents.length, 0)
      return last.agents.length > 0 && seen < last.total ? seen : undefined
    },
    // While a new search runs the old results stay, but never those of another workspace.
    placeholderData: (previous, query) => (query?.queryKey[1] === workspace.id ? previous : undefined),
  })
  return {
    ...query,
    agents: query.data?.pages.flatMap(({ agents }) => forHireFirst(agents)) ?? [],
    total: query.data?.pages.at(-1)?.total ?? 0,
  }
}

/** Within a page, so that more of them move nothing that is there. */
function forHireFirst(agents: readonly Agent[]): Agent[] {
  return [...agents].sort((a, b) => Number(a.isHired) - Number(b.isHired))
}
