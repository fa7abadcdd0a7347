import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { fetchCatalog, fetchEntry, fetchProfiles, fetchVersions } from '@/api/admin'
import { keys } from '@/api/query-client'

const PAGE_SIZE = 50

function nextOffset(seen: number, last: number, total: number): number | undefined {
  return last > 0 && seen < total ? seen : undefined
}

/** The whole catalog, with what isn't published or listed. */
export function useCatalog(search: string) {
  const query = useInfiniteQuery({
    queryKey: [...keys.catalog, 'list', search],
    queryFn: ({ pageParam, signal }) =>
      fetchCatalog({ limit: PAGE_SIZE, offset: pageParam, ...(search !== '' && { search }) }, signal),
    initialPageParam: 0,
    getNextPageParam: (last, pages) =>
      nextOffset(pages.reduce((count, page) => count + page.agents.length, 0), last.agents.length, last.total),
    placeholderData: (previous) => previous,
  })
  return { ...query, entries: query.data?.pages.flatMap(({ agents }) => agents) ?? [] }
}

export function useEntry(id: string) {
  return useQuery({ queryKey: [...keys.catalog, 'entry', id], queryFn: ({ signal }) => fetchEntry(id, signal) })
}

export function useVersions(id: string) {
  return useQuery({ queryKey: [...keys.catalog, 'versions', id], queryFn: ({ signal }) => fetchVersions(id, signal) })
}

/** Everyone with an account. */
export function useProfiles(search: string) {
  const query = useInfiniteQuery({
    queryKey: [...keys.profiles, search],
    queryFn: ({ pageParam, signal }) =>
      fetchProfiles({ limit: PAGE_SIZE, offset: pageParam, ...(search !== '' && { search }) }, signal),
    initialPageParam: 0,
    getNextPageParam: (last, pages) =>
      nextOffset(pages.reduce((count, page) => count + page.profiles.length, 0), last.profiles.length, last.total),
    placeholderData: (previous) => previous,
  })
  return { ...query, profiles: query.data?.pages.flatMap(({ profiles }) => profiles) ?? [], total: query.data?.pages.at(-1)?.total ?? 0 }
}
