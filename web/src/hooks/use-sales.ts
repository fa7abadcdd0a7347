// Contacts and deals beyond their rows: what happened with a contact, the stages of a deal, two contacts that become one.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { client, unwrap } from '@/api/client'
import { type DataChange, changeOf, type DataRow, fetchRows, once, rowOf } from '@/api/data'
import { keys } from '@/api/query-client'
import type { components } from '@/api/schema'
import { useThenRefresh } from './use-data'
import { useWorkspace } from './use-workspace'

type Schemas = components['schemas']

export type DealStage = Schemas['DealStageView']
type PipelineSum = Schemas['PipelineSumView']

/** One thing that happened with a contact. */
export type HistoryEntry = { id: string; day: string } & (
  | { of: 'activity'; row: DataRow }
  | { of: 'stage'; stage: DealStage }
  | { of: 'change'; change: DataChange }
)

interface HistoryPage {
  entries: HistoryEntry[]
  nextCursor: string | null
}

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

async function fetchContactHistory(workspaceId: string, id: string, cursor: string | null, signal?: AbortSignal): Promise<HistoryPage> {
  const query = { workspaceId, ...(cursor === null ? {} : { cursor }) }
  const { entries, nextCursor } = await unwrap(client.GET('/api/data/contacts/{id}/history', { params: { path: { id }, query }, signal }))
  return { entries: entries.flatMap(entryOf), nextCursor: nextCursor ?? null }
}

function entryOf({ id, day, activity, stage, change }: Schemas['HistoryEntryView']): HistoryEntry[] {
  if (activity) return [{ id, day, of: 'activity', row: rowOf(activity) }]
  if (stage) return [{ id, day, of: 'stage', stage }]
  return change ? [{ id, day, of: 'change', change: changeOf(change) }] : []
}

async function fetchDealStages(workspaceId: string, id: string, signal?: AbortSignal): Promise<DealStage[]> {
  return (await unwrap(client.GET('/api/data/deals/{id}/stages', { params: { path: { id }, query: { workspaceId } }, signal }))).stages
}

/** `filters`: those of the list of deals. */
async function fetchPipeline(workspaceId: string, filters: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<PipelineSum[]> {
  return (await unwrap(client.GET('/api/data/deals/pipeline', { params: { query: { ...filters, workspaceId } }, signal }))).sums
}

/** Tells the change by which it is taken back. */
async function mergeContacts(workspaceId: string, kept: string, merged: string): Promise<string | undefined> {
  const params = { path: { id: kept }, query: { workspaceId }, header: once() }
  return (await unwrap(client.POST('/api/data/contacts/{id}/merge', { params, body: { merged } }))).changes[0]
}
