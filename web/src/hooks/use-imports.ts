// Files that come in: what becomes of them, and what people answer to their questions.
import { useQuery } from '@tanstack/react-query'
import { client, unwrap } from '@/api/client'
import { keys } from '@/api/query-client'
import type { components } from '@/api/schema'
import { upload } from '@/api/upload'
import { useRefreshData } from './use-data'
import { useWorkspace } from './use-workspace'

type Schemas = components['schemas']
export type Import = Schemas['Import']
export type ImportDetails = Schemas['ImportDetails']
export type ImportReport = Schemas['ImportReport']
export type ImportQuestion = Schemas['ImportQuestion']
export type ImportRemark = Schemas['ImportRemark']
export type ImportedAccount = Schemas['ImportedAccount']

/** How the columns of a file become fields. */
export interface Mapping {
  columns: Record<string, ColumnSource | null>
  has_header?: boolean
  date_order?: 'day_month_year' | 'month_day_year' | 'year_month_day'
  decimal_sign?: 'point' | 'comma'
  currency?: string
  sign?: 'as_written' | 'reversed'
}

/** One column, one for money that goes out and one for money that comes in, or an amount and a column that says which. */
export type ColumnSource = { column: string } | { debit: string; credit: string } | { amount: string; direction: string }

/** The latest of them. */
const LISTED = 50

export function useImports() {
  const { id: workspaceId } = useWorkspace()
  return useQuery({
    queryKey: [...keys.data(workspaceId), 'imports'],
    queryFn: ({ signal }) => unwrap(client.GET('/api/data/imports', { params: { query: { workspaceId, limit: LISTED } }, signal })),
  })
}

export function useImport(id: string) {
  const { id: workspaceId } = useWorkspace()
  return useQuery({
    queryKey: [...keys.data(workspaceId), 'imports', id],
    queryFn: ({ signal }) => unwrap(client.GET('/api/data/imports/{id}', { params: { path: { id } }, signal })),
  })
}

interface NewImport {
  workspaceId: string
  kind: string
  file: File
  account?: string
  onProgress: (share: number) => void
}

/** Brings a file in, to be looked at first: nothing is stored yet. */
export async function beginImport({ workspaceId, kind, file, account, onProgress }: NewImport): Promise<Import> {
  const query = new URLSearchParams({ workspaceId, filename: file.name.slice(-200), dryRun: 'true', ...(account === undefined ? {} : { account }) })
  const answer = await upload<Schemas['ImportAnswer']>({ path: `/api/data/${kind}/import?${query.toString()}`, file, onProgress })
  return answer.import
}

/** What can be done with an import; the app then knows how it stands. */
export function useImportActions(id: string) {
  const refresh = useRefreshData()
  return {
    answer: async (body: { mapping?: Mapping; account?: string; start?: boolean }) => {
      const details = await unwrap(
        client.PATCH('/api/data/imports/{id}', {
          params: { path: { id } },
          // The generated type of a free-form object has no fields.
          body: { ...body, mapping: body.mapping as unknown as Record<string, never> | undefined },
        }),
      )
      await refresh()
      return details
    },
    undo: async () => {
      await unwrap(client.DELETE('/api/data/imports/{id}', { params: { path: { id } } }))
      await refresh()
    },
  }
}
