// What is done with transactions beyond setting their fields.
import { client, unwrap } from './client'
import { type DataRow, once, rowOf } from './data'
import type { components } from './schema'

type Schemas = components['schemas']

export interface SplitPart {
  amount: number
  category_id: string | null
  memo: string | null
}

/** Two transactions that look like one transfer. */
export interface TransferProposal {
  from: DataRow
  to: DataRow
  isCertain: boolean
}

const within = (workspaceId: string) => ({ query: { workspaceId }, header: once() })

export async function categoriseTransactions(workspaceId: string, ids: readonly string[], categoryId: string | null): Promise<void> {
  await unwrap(client.POST('/api/data/transactions/categorise', { params: within(workspaceId), body: { ids: [...ids], category_id: categoryId } }))
}

export async function markAsTransfer(workspaceId: string, transactions: readonly string[]): Promise<void> {
  await unwrap(client.POST('/api/data/transactions/transfers', { params: within(workspaceId), body: { transactions: [...transactions] } }))
}

export async function unmarkAsTransfer(workspaceId: string, id: string): Promise<void> {
  await unwrap(client.DELETE('/api/data/transactions/{id}/transfer', { params: { path: { id }, ...within(workspaceId) } }))
}

/** With no parts it is undivided again. */
export async function splitTransaction(workspaceId: string, { id, version }: DataRow, parts: SplitPart[]): Promise<void> {
  await unwrap(client.POST('/api/data/transactions/{id}/split', { params: { path: { id }, ...within(workspaceId) }, body: { parts, version } }))
}

/** How many got a category. */
export async function applyCategoryRules(workspaceId: string): Promise<number> {
  return (await unwrap(client.POST('/api/data/transactions/apply-rules', { params: within(workspaceId) }))).changed
}

export async function fetchTransferProposals(workspaceId: string, signal?: AbortSignal): Promise<TransferProposal[]> {
  const { proposals } = await unwrap(client.GET('/api/data/transactions/transfers', { params: { query: { workspaceId } }, signal }))
  return proposals.map(({ from, to, is_certain }: Schemas['TransferView']) => ({ from: rowOf(from), to: rowOf(to), isCertain: is_certain }))
}
