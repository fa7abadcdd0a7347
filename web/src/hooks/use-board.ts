// The rows of a board: those of each column by their position, as many as one scrolls to.
import { useQueries, type UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { type DataRow, fetchRows, type RowQuery } from '@/api/data'
import { keys } from '@/api/query-client'
import { useWorkspace } from './use-workspace'

/** Rows of a column that are fetched at once. */
const PAGE_SIZE = 500

interface ColumnRows {
  key: string
  rows: readonly DataRow[]
  total: number
  isCounted: boolean
  hasMore: boolean
}

export interface BoardQuery extends Pick<RowQuery, 'search' | 'filters'> {
  kind: string
  /** By its key, the filter that fits the rows of a column. */
  columns: readonly { key: string; filter: NonNullable<RowQuery['filters']> }[]
}

export function useBoard({ kind, columns, search, filters }: BoardQuery) {
  const { id: workspaceId } = useWorkspace()
  const [pages, setPages] = useState<Readonly<Record<string, number>>>({})
  const { loaded, failed, isFetching, retry } = useQueries({
    queries: columns.map(({ key, filter }) => {
      const fitting = { ...filters, ...filter }
      const count = pages[key] ?? 1
      return {
        queryKey: [...keys.data(workspaceId), 'rows', kind, 'board', { key, search, fitting }, count],
        queryFn: ({ signal }: { signal: AbortSignal }) => fetchColumn(kind, key, { workspaceId, search, filters: fitting }, count, signal),
      }
    }),
    combine,
  })
  // What is here stays until more of it is, or what fits other filters.
  const [kept, setKept] = useState(loaded)
  if (loaded !== undefined && loaded !== kept) setKept(loaded)
  return {
    /** In the order that was asked for; undefined until all columns are here. */
    columns: loaded ?? (kept !== undefined && isOfColumns(kept, columns) ? kept : undefined),
    error: failed,
    isFetching,
    retry,
    /** One page more of a column, unless it is on its way. */
    more: (key: string) => {
      if (loaded?.find((column) => column.key === key)?.hasMore === true) setPages((now) => ({ ...now, [key]: (now[key] ?? 1) + 1 }))
    },
  }
}

function combine(queries: readonly UseQueryResult<ColumnRows>[]) {
  const here = queries.flatMap(({ data }) => data ?? [])
  return {
    loaded: here.length === queries.length ? here : undefined,
    failed: queries.find(({ isLoadingError }) => isLoadingError)?.error ?? undefined,
    isFetching: queries.some(({ isFetching }) => isFetching),
    retry: () => {
      for (const query of queries) if (query.isError) void query.refetch()
    },
  }
}

function isOfColumns(kept: readonly ColumnRows[], columns: BoardQuery['columns']): boolean {
  return kept.length === columns.length && kept.every(({ key }, at) => columns[at]?.key === key)
}

async function fetchColumn(kind: string, key: string, query: RowQuery, pages: number, signal: AbortSignal): Promise<ColumnRows> {
  const rows: DataRow[] = []
  let [total, isCounted, cursor] = [0, true, null as string | null]
  for (let page = 0; page < pages && (page === 0 || cursor !== null); page++) {
    const got = await fetchRows(kind, { ...query, sort: { field: 'position', direction: 'rising' }, limit: PAGE_SIZE, cursor }, signal)
    rows.push(...got.rows)
    if (page === 0) ({ total, isCounted } = got)
    cursor = got.nextCursor
  }
  return { key, rows, total, isCounted, hasMore: cursor !== null }
}
