// What is done with transactions beyond setting their fields.
import { useQuery } from '@tanstack/react-query'
import { client, unwrap } from '@/api/client'
import { type DataRow, deleteRow, once, rowOf } from '@/api/data'
import { isGone } from '@/api/errors'
import { keys } from '@/api/query-client'
import type { components } from '@/api/schema'
import { useThenRefresh } from './use-data'
import { useWorkspace } from './use-workspace'

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

export function useMoneyActions() {
  const { id: workspaceId } = useWorkspace()
  const then = useThenRefresh()
  return {
    categorise: (ids: readonly string[], categoryId: string | null) => then(categoriseTransactions(workspaceId, ids, categoryId)),
    /** Both sides, or one whose other side is not here. */
    markTransfer: (ids: readonly string[]) => then(markAsTransfer(workspaceId, ids)),
    unmarkTransfer: (id: string) => then(unmarkAsTransfer(workspaceId, id)),
    split: (row: DataRow, parts: SplitPart[]) => then(splitTransaction(workspaceId, row, parts)),
    removeAll: (ids: readonly string[]) => then(deleteAll(workspaceId, ids)),
    /** How many got a category. */
    applyRules: () => then(applyCategoryRules(workspaceId)),
  }
}

/** Requests that a browser has under way at once. */
const AT_ONCE = 6

/** One that somebody else has deleted is gone, as it was meant to be. */
async function deleteAll(workspaceId: string, ids: readonly string[]): Promise<void> {
  const unlessGone = (error: unknown) => {
    if (!isGone(error)) throw error
  }
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    await Promise.all(ids.slice(at, at + AT_ONCE).map((id) => deleteRow(workspaceId, 'transactions', id).catch(unlessGone)))
  }
}

export function useTransferProposals() {
  const { id: workspaceId } = useWorkspace()
  return useQuery({
    queryKey: [...keys.data(workspaceId), 'transfers'],
    queryFn: ({ signal }) => fetchTransferProposals(workspaceId, signal),
  })
}

const within = (workspaceId: string) => ({ query: { workspaceId }, header: once() })

async function categoriseTransactions(workspaceId: string, ids: readonly string[], categoryId: string | null): Promise<void> {
  await unwrap(client.POST('/api/data/transactions/categorise', { params: within(workspaceId), body: { ids: [...ids], category_id: categoryId } }))
}

async function markAsTransfer(workspaceId: string, transactions: readonly string[]): Promise<void> {
  await unwrap(client.POST('/api/data/transactions/transfers', { params: within(workspaceId), body: { transactions: [...transactions] } }))
}

async function unmarkAsTransfer(workspaceId: string, id: string): Promise<void> {
  await unwrap(client.DELETE('/api/data/transactions/{id}/transfer', { params: { path: { id }, ...within(workspaceId) } }))
}

/** With no parts it is undivided again. */
async function splitTransaction(workspaceId: string, { id, version }: DataRow, parts: SplitPart[]): Promise<void> {
  await unwrap(client.POST('/api/data/transactions/{id}/split', { params: { path: { id }, ...within(workspaceId) }, body: { parts, version } }))
}

/** How many got a category. */
async function applyCategoryRules(workspaceId: string): Promise<number> {
  return (await unwrap(client.POST('/api/data/transactions/apply-rules', { params: within(workspaceId) }))).changed
}

async function fetchTransferProposals(workspaceId: string, signal?: AbortSignal): Promise<TransferProposal[]> {
  const { proposals } = await unwrap(client.GET('/api/data/transactions/transfers', { params: { query: { workspaceId } }, signal }))
  return proposals.map(({ from, to, is_certain }: components['schemas']['TransferView']) => ({ from: rowOf(from), to: rowOf(to), isCertain: is_certain }))
}
