import { skipToken, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { $api, client, unwrap } from '@/api/client'
import { once } from '@/api/data'
import { keys } from '@/api/query-client'
import type { FoundPages, KnowledgePage, KnowledgeProperty, PageFileInfo, PagesImported } from '@/api/types'
import { useWorkspace } from './use-workspace'

const ROWS = 100

/** The pages right below one, or at the top. */
export function usePagesBelow(parentId: string | null, isWanted = true) {
  const workspace = useWorkspace()
  return useInfiniteQuery({
    queryKey: [...keys.pages(workspace.id), 'below', parentId],
    queryFn: ({ pageParam, signal }) => {
      const query = { workspaceId: workspace.id, parentId: parentId ?? undefined, limit: ROWS, offset: pageParam }
      return unwrap(client.GET('/api/knowledge', { params: { query }, signal }))
    },
    initialPageParam: 0,
    getNextPageParam: (last, all) => {
      const seen = all.reduce((sum, { pages }) => sum + pages.length, 0)
      return seen < last.total ? seen : undefined
    },
    enabled: isWanted,
  })
}

export function useDeletedPages() {
  const workspace = useWorkspace()
  return useQuery({
    queryKey: [...keys.pages(workspace.id), 'deleted'],
    queryFn: ({ signal }) =>
      unwrap(client.GET('/api/knowledge', { params: { query: { workspaceId: workspace.id, order: 'deleted', limit: ROWS } }, signal })),
  })
}

/** Nothing is asked for without an id. */
export function useKnowledgePage(id: string | undefined) {
  const workspace = useWorkspace()
  return useQuery({
    queryKey: [...keys.pages(workspace.id), 'one', id],
    queryFn: id === undefined ? skipToken : ({ signal }) => readPage(id, signal),
  })
}

export function readPage(id: string, signal?: AbortSignal): Promise<KnowledgePage> {
  return unwrap(client.GET('/api/knowledge/{id}', { params: { path: { id } }, signal }))
}

/** What is typed, as it is typed. The last answer stays until the next is there. */
export function usePageSearch(search: string) {
  const workspace = useWorkspace()
  return useQuery({
    queryKey: [...keys.pages(workspace.id), 'search', search],
    queryFn: ({ signal }): Promise<FoundPages> =>
      unwrap(client.GET('/api/knowledge/search', { params: { query: { workspaceId: workspace.id, search, limit: 30 } }, signal })),
    enabled: search.trim() !== '',
    placeholderData: (before, query) => (query?.queryKey[1] === workspace.id ? before : undefined),
  })
}

export function usePageLinks(id: string) {
  return $api.useQuery('get', '/api/knowledge/{id}/links', { params: { path: { id } } })
}

export function usePageVersions(id: string) {
  return $api.useQuery('get', '/api/knowledge/{id}/versions', { params: { path: { id }, query: { limit: 200 } } }, { select: ({ versions }) => versions })
}

/** Nothing is asked for without a number. */
export function usePageVersion(id: string, version: number | undefined) {
  return $api.useQuery('get', '/api/knowledge/{id}/versions/{version}', { params: { path: { id, version: version ?? 0 } } }, { enabled: version !== undefined })
}

export function readPageVersion(id: string, version: number) {
  return unwrap(client.GET('/api/knowledge/{id}/versions/{version}', { params: { path: { id, version } } }))
}

/** Everything about pages is read again. */
export function useRefreshPages() {
  const workspace = useWorkspace()
  const queryClient = useQueryClient()
  return () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: keys.pages(workspace.id) }),
      queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === 'get' && String(queryKey[1]).startsWith('/api/knowledge/') }),
    ])
}

export interface PageDraft {
  title: string
  body: string
  properties: KnowledgeProperty[]
  is_public: boolean
}

export function createPage(workspaceId: string, parentId: string | undefined, draft: PageDraft, key: string): Promise<KnowledgePage> {
  const body = { workspaceId, parent_id: parentId, ...draft }
  return unwrap(client.POST('/api/knowledge', { params: { header: { 'idempotency-key': key } }, body }))
}

export function changePage(id: string, version: number, draft: Partial<PageDraft>): Promise<KnowledgePage> {
  return unwrap(client.PATCH('/api/knowledge/{id}', { params: { path: { id }, header: once() }, body: { version, ...draft } }))
}

export function movePage(id: string, version: number, parentId: string | null): Promise<KnowledgePage> {
  return unwrap(client.POST('/api/knowledge/{id}/move', { params: { path: { id }, header: once() }, body: { version, parent_id: parentId } }))
}

/** With a version only if the page is still at it. */
export function deletePage(id: string, version?: number): Promise<KnowledgePage> {
  return unwrap(client.DELETE('/api/knowledge/{id}', { params: { path: { id }, query: { version } } }))
}

export function restorePage(id: string): Promise<KnowledgePage> {
  return unwrap(client.POST('/api/knowledge/{id}/restore', { params: { path: { id } } }))
}

export function restorePageVersion(id: string, version: number): Promise<KnowledgePage> {
  return unwrap(client.POST('/api/knowledge/{id}/versions/{version}/restore', { params: { path: { id, version } }, body: {} }))
}

export function addPageFile(id: string, file: File): Promise<PageFileInfo> {
  return unwrap(
    client.POST('/api/knowledge/{id}/files', {
      params: { path: { id }, query: { name: file.name } },
      // The schema can only say that a body of bytes is a string.
      body: file as unknown as string,
      bodySerializer: (body: unknown) => body as BodyInit,
      headers: { 'Content-Type': 'application/octet-stream' },
    }),
  )
}

interface ImportOptions {
  workspaceId: string
  file: File
  isTried: boolean
}

export function importPages({ workspaceId, file, isTried }: ImportOptions): Promise<PagesImported> {
  return unwrap(
    client.POST('/api/knowledge/import', {
      params: { query: { workspaceId, filename: file.name, dryRun: isTried } },
      body: file as unknown as string,
      bodySerializer: (body: unknown) => body as BodyInit,
      headers: { 'Content-Type': 'application/zip' },
    }),
  )
}

export function undoPageImport(id: string) {
  return unwrap(client.DELETE('/api/knowledge/imports/{id}', { params: { path: { id } } }))
}

/** Where all pages can be downloaded. */
export function pagesExportUrl(workspaceId: string): string {
  return `/api/knowledge/export?workspaceId=${workspaceId}`
}
