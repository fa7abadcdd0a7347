// What is done with transactions beyond setting their fields.
import { useQuery } from '@tanstack/react-query'
import { type DataRow, deleteRow } from '@/api/data'
import { applyCategoryRules, categoriseTransactions, fetchTransferProposals, markAsTransfer, splitTransaction, unmarkAsTransfer } from '@/api/money'
import { isGone } from '@/api/errors'
import { keys } from '@/api/query-client'
import { useThenRefresh } from './use-data'
import { useWorkspace } from './use-workspace'

export type { SplitPart, TransferProposal } from '@/api/money'

export function useMoneyActions() {
  const { id: workspaceId } = useWorkspace()
  const then = useThenRefresh()
  return {
    categorise: (ids: readonly string[], categoryId: string | null) => then(categoriseTransactions(workspaceId, ids, categoryId)),
    /** Both sides, or one whose other side is not here. */
    markTransfer: (ids: readonly string[]) => then(markAsTransfer(workspaceId, ids)),
    unmarkTransfer: (id: string) => then(unmarkAsTransfer(workspaceId, id)),
    split: (row: DataRow, parts: Parameters<typeof splitTransaction>[2]) => then(splitTransaction(workspaceId, row, parts)),
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
