// Contacts and deals beyond their rows.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { fetchRows } from '@/api/data'
import { keys } from '@/api/query-client'
import { fetchContactHistory, fetchDealStages, fetchPipeline, mergeContacts } from '@/api/sales'
import { useThenRefresh } from './use-data'
import { useWorkspace } from './use-workspace'

export type { DealStage, HistoryEntry } from '@/api/sales'

/** Activities, stages of deals and changes of a contact, the latest first. */
export function useContactHistory(contact: string) {
  const { id } = useWorkspace()
  const query = useInfiniteQuery({
    queryKey: [...keys.data(id), 'history', contact],
    queryFn: ({ pageParam, signal }) => fetchContactHistory(id, contact, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
  return { ...query, entries: query.data?.pages.flatMap(({ entries }) => entries) ?? [] }
}

export function useDealStages(deal: string) {
  const { id } = useWorkspace()
  return useQuery({
    queryKey: [...keys.data(id), 'stages', deal],
    queryFn: ({ signal }) => fetchDealStages(id, deal, signal),
  })
}

/** Deals added up by stage and currency. */
export function usePipeline(filters: Readonly<Record<string, string>>, enabled: boolean) {
  const { id } = useWorkspace()
  return useQuery({
    queryKey: [...keys.data(id), 'pipeline', filters],
    queryFn: ({ signal }) => fetchPipeline(id, filters, signal),
    enabled,
  })
}

/** How many rows of a kind belong to a contact. */
export function useCountOf(kind: string, contact: string | undefined) {
  const { id } = useWorkspace()
  const { data } = useQuery({
    queryKey: [...keys.data(id), 'rows', kind, 'count', contact],
    queryFn: ({ signal }) => fetchRows(kind, { workspaceId: id, filters: { contactId: contact ?? '' }, limit: 1 }, signal),
    enabled: contact !== undefined,
  })
  return data?.total
}

export function useMergeContacts() {
  const { id } = useWorkspace()
  const then = useThenRefresh()
  return (kept: string, merged: string) => then(mergeContacts(id, kept, merged))
}
