// Rows of the workspace's data: read page by page, changed with a record of who did it, and taken back.
import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import {
  changeRow,
  createRow,
  type DataRow,
  deleteRow,
  fetchChanges,
  fetchKinds,
  fetchRow,
  fetchRowChanges,
  fetchRows,
  type RowQuery,
  undoChanges,
} from '@/api/data'
import { isConflict } from '@/api/errors'
import { keys } from '@/api/query-client'
import { RowPages } from '@/lib/row-pages'
import { useDebouncedValue } from './use-browser'
import { useWorkspace } from './use-workspace'

/** Rows of one page of a table. */
const PAGE_SIZE = 200
/** The most that is read of a kind that is offered as a choice. */
const ALL_AT_ONCE = 500
const SHOWN_OF = 100
/** Rows that are offered as a choice at once. */
const OPTIONS = 50
const CHANGES = 50
/** The most that the server tells of one call. */
const MOST_CHANGES = 200

const rowKeys = (workspaceId: string, kind: string) => [...keys.data(workspaceId), 'rows', kind] as const

export function useKinds() {
  const { id } = useWorkspace()
  return useQuery({
    queryKey: ['workspace', id, 'kinds'],
    queryFn: ({ signal }) => fetchKinds(id, signal),
    staleTime: 10 * 60_000,
  })
}

/** All rows of a kind that has few. */
export function useAllRows(kind: string, enabled = true) {
  const { id } = useWorkspace()
  return useQuery({
    queryKey: [...rowKeys(id, kind), 'all'],
    queryFn: async ({ signal }) => {
      const rows: DataRow[] = []
      for (let cursor: string | null = null; ; ) {
        const page = await fetchRows(kind, { workspaceId: id, limit: ALL_AT_ONCE, cursor }, signal)
        rows.push(...page.rows)
        cursor = page.nextCursor
        if (cursor === null) return rows
      }
    },
    enabled,
  })
}

/** Rows by their names, to choose from. */
export function optionsOf(rows: readonly DataRow[] | undefined): { id: string; name: string }[] {
  return rows?.map(({ id, fields }) => ({ id, name: String(fields.name) })) ?? []
}

/** Rows of a kind that has many, by their names: those that fit what is typed. */
export function useRowOptions(kind: string | null, typed: string, enabled: boolean): { id: string; name: string }[] {
  const { id } = useWorkspace()
  const { data: kinds } = useKinds()
  const search = useDebouncedValue(typed.trim())
  const title = kinds?.find(({ name }) => name === kind)?.title ?? 'name'
  const { data } = useQuery({
    queryKey: [...rowKeys(id, kind ?? ''), 'options', search],
    queryFn: ({ signal }) => fetchRows(kind ?? '', { workspaceId: id, search, limit: OPTIONS }, signal),
    enabled: enabled && kind !== null,
    placeholderData: keepPreviousData,
  })
  return data?.rows.map((row) => ({ id: row.id, name: nameOf(row.fields[title]) })) ?? []
}

function nameOf(title: unknown): string {
  return typeof title === 'string' ? title : ''
}

/** A table of rows that are fetched as they come in sight. What is changed anywhere in the workspace is read again. */
export function useRowPages(kind: string, query: Pick<RowQuery, 'search' | 'filters' | 'sort'>): RowPages<DataRow> {
  const { id: workspaceId } = useWorkspace()
  const asked = JSON.stringify(query)
  const pages = useMemo(() => {
    const { search, filters, sort } = JSON.parse(asked) as typeof query
    return new RowPages<DataRow>((way, cursor, signal) => {
      const order = sort === undefined || way === 'down' ? sort : { ...sort, direction: sort.direction === 'rising' ? ('falling' as const) : ('rising' as const) }
      return fetchRows(kind, { workspaceId, search, filters, sort: order, limit: PAGE_SIZE, cursor }, signal)
    }, PAGE_SIZE)
  }, [kind, workspaceId, asked])
  // The cache knows when rows of this kind are stale; the pages are read again then.
  const { dataUpdatedAt } = useQuery({ queryKey: [...rowKeys(workspaceId, kind), 'seen'], queryFn: () => Date.now(), staleTime: Infinity })
  const seen = useRef(dataUpdatedAt)
  useEffect(() => {
    if (seen.current === dataUpdatedAt) return
    const isFirst = seen.current === 0
    seen.current = dataUpdatedAt
    if (!isFirst) pages.refresh()
  }, [pages, dataUpdatedAt])
  return pages
}

/** Whatever is shown of the workspace's data is read again. */
export function useRefreshData(): () => Promise<void> {
  const queryClient = useQueryClient()
  const { id } = useWorkspace()
  return () => queryClient.invalidateQueries({ queryKey: keys.data(id) })
}

/** Once something is done, all is read again. Also when it is refused: somebody else may have changed it. */
export function useThenRefresh(): <Result>(work: Promise<Result>) => Promise<Result> {
  const refresh = useRefreshData()
  return async (work) => {
    try {
      return await work
    } finally {
      await refresh()
    }
  }
}

export function useRowActions(kind: string) {
  const { id: workspaceId } = useWorkspace()
  const then = useThenRefresh()
  return {
    create: (fields: Record<string, unknown>) => then(createRow(workspaceId, kind, fields)),
    change: (row: DataRow, fields: Record<string, unknown>) => then(changeRow(workspaceId, kind, row, fields)),
    /** Of a row as it is now: for what is right whatever else was changed about it. */
    changeNow: async (id: string, fields: Record<string, unknown>) => then(changeRow(workspaceId, kind, await fetchRow(workspaceId, kind, id), fields)),
    /** Of a row in which these fields are still as they were seen: what else was changed about it meanwhile is no reason to refuse. */
    changeIfStill: (row: DataRow, seen: readonly string[], fields: Record<string, unknown>) => then(changeIfStill(workspaceId, kind, row, seen, fields)),
    remove: (id: string) => then(deleteRow(workspaceId, kind, id)),
    /** Makes a row of a kind that needs nothing but a name, and tells its id. */
    makeNamed: async (of: string, name: string) => (await then(createRow(workspaceId, of, { name }))).id,
  }
}

async function changeIfStill(workspaceId: string, kind: string, row: DataRow, seen: readonly string[], fields: Record<string, unknown>): Promise<DataRow> {
  try {
    return await changeRow(workspaceId, kind, row, fields)
  } catch (error) {
    if (!isConflict(error)) throw error
    const now = await fetchRow(workspaceId, kind, row.id)
    if (now.version === row.version || seen.some((name) => now.fields[name] !== row.fields[name])) throw error
    return changeRow(workspaceId, kind, now, fields)
  }
}

/** What was changed about one row, the newest first. */
export function useRowChanges(kind: string, rowId: string) {
  const { id: workspaceId } = useWorkspace()
  return useQuery({
    queryKey: [...keys.data(workspaceId), 'changes', kind, rowId],
    queryFn: ({ signal }) => fetchRowChanges(workspaceId, kind, rowId, signal),
  })
}

/** A row as it is now: as it was when it was opened, until somebody changes it. `isWanted`: it is still there. */
export function useRow(kind: string, opened: DataRow | undefined, isWanted: boolean): DataRow | undefined {
  const { data } = useRowAt(kind, opened?.id ?? '', { enabled: opened !== undefined && isWanted, initialData: opened })
  // What was kept of it may be older than the list that it was opened from.
  return data === undefined || opened === undefined || data.version < opened.version ? opened : data
}

/** One row, by its address. */
export function useRowAt(kind: string, id: string, options: { enabled?: boolean; initialData?: DataRow } = {}) {
  const { id: workspaceId } = useWorkspace()
  return useQuery({
    queryKey: [...rowKeys(workspaceId, kind), 'one', id],
    queryFn: ({ signal }) => fetchRow(workspaceId, kind, id, signal),
    ...options,
  })
}

/** Rows that belong to another, such as the deals of a contact: as many as one looks at there. */
export function useRowsOf(kind: string, filters: Readonly<Record<string, string>>) {
  const { id: workspaceId } = useWorkspace()
  return useQuery({
    queryKey: [...rowKeys(workspaceId, kind), 'of', filters],
    queryFn: ({ signal }) => fetchRows(kind, { workspaceId, filters, limit: SHOWN_OF }, signal),
    select: ({ rows }) => rows,
  })
}

/** What one row is called now; of a kind that is asked for by name, its description says which field that is. */
export function useRowTitle(kind: string, rowId: string, enabled: boolean): string | undefined {
  const { data: kinds } = useKinds()
  const { data } = useRowAt(kind, rowId, { enabled })
  const named = data?.fields[kinds?.find(({ name }) => name === kind)?.title ?? '']
  return typeof named === 'string' ? named : undefined
}

/** Where a call stands that changed something, as its result says. In a fork it is still the call that made the changes. */
export interface CallMark {
  conversationId: string
  seq: number
}

/** All that one call of an agent changed. */
export function useCallChanges({ conversationId, seq }: CallMark) {
  const { id: workspaceId } = useWorkspace()
  return useQuery({
    queryKey: [...keys.data(workspaceId), 'changes', 'call', conversationId, seq],
    queryFn: ({ signal }) => fetchChanges({ workspaceId, conversationId, seq, limit: MOST_CHANGES }, signal),
  })
}

/** Everything that was changed, the newest first. */
export function useWorkspaceChanges() {
  const { id: workspaceId } = useWorkspace()
  const query = useInfiniteQuery({
    queryKey: [...keys.data(workspaceId), 'changes'],
    queryFn: ({ pageParam, signal }) => fetchChanges({ workspaceId, before: pageParam, limit: CHANGES }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => (last.length < CHANGES ? undefined : last.at(-1)?.id),
  })
  return { ...query, changes: query.data?.pages.flat() ?? [] }
}

/** Takes changes back. */
export function useUndo(): (changes: readonly string[]) => Promise<void> {
  const { id: workspaceId } = useWorkspace()
  const then = useThenRefresh()
  return (changes) => then(undoChanges(workspaceId, changes))
}

/** Where rows can be downloaded as a file. */
export function exportUrl(kind: string, { workspaceId, search, filters, format }: { workspaceId: string; search?: string; filters?: Readonly<Record<string, string>>; format: string }): string {
  const query = new URLSearchParams({ workspaceId, format, ...filters, ...(search === undefined || search === '' ? {} : { search }) })
  return `/api/data/${kind}/export?${query.toString()}`
}
