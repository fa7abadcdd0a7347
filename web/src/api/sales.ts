// Contacts and deals beyond their rows: what happened with a contact, the stages of a deal, two contacts that become one.
import { client, unwrap } from './client'
import { type DataChange, changeOf, type DataRow, once, rowOf } from './data'
import type { components } from './schema'

type Schemas = components['schemas']

export type DealStage = Schemas['DealStageView']
export type PipelineSum = Schemas['PipelineSumView']

/** One thing that happened with a contact. */
export type HistoryEntry = { id: string; day: string } & (
  | { of: 'activity'; row: DataRow }
  | { of: 'stage'; stage: DealStage }
  | { of: 'change'; change: DataChange }
)

export interface HistoryPage {
  entries: HistoryEntry[]
  nextCursor: string | null
}

export async function fetchContactHistory(workspaceId: string, id: string, cursor: string | null, signal?: AbortSignal): Promise<HistoryPage> {
  const query = { workspaceId, ...(cursor === null ? {} : { cursor }) }
  const { entries, nextCursor } = await unwrap(client.GET('/api/data/contacts/{id}/history', { params: { path: { id }, query }, signal }))
  return { entries: entries.flatMap(entryOf), nextCursor: nextCursor ?? null }
}

function entryOf({ id, day, activity, stage, change }: Schemas['HistoryEntryView']): HistoryEntry[] {
  if (activity) return [{ id, day, of: 'activity', row: rowOf(activity) }]
  if (stage) return [{ id, day, of: 'stage', stage }]
  return change ? [{ id, day, of: 'change', change: changeOf(change) }] : []
}

export async function fetchDealStages(workspaceId: string, id: string, signal?: AbortSignal): Promise<DealStage[]> {
  return (await unwrap(client.GET('/api/data/deals/{id}/stages', { params: { path: { id }, query: { workspaceId } }, signal }))).stages
}

/** `filters`: those of the list of deals. */
export async function fetchPipeline(workspaceId: string, filters: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<PipelineSum[]> {
  return (await unwrap(client.GET('/api/data/deals/pipeline', { params: { query: { ...filters, workspaceId } }, signal }))).sums
}

/** Tells the change by which it is taken back. */
export async function mergeContacts(workspaceId: string, kept: string, merged: string): Promise<string | undefined> {
  const params = { path: { id: kept }, query: { workspaceId }, header: once() }
  return (await unwrap(client.POST('/api/data/contacts/{id}/merge', { params, body: { merged } }))).changes[0]
}
