// What admins of the server can do, beyond any workspace.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { $api, client, unwrap } from '@/api/client'
import { keys } from '@/api/query-client'
import type { components } from '@/api/schema'
import type { AgentFields, AIAgent, Profile } from '@/api/types'

const PAGE_SIZE = 50

function nextOffset(seen: number, last: number, total: number): number | undefined {
  return last > 0 && seen < total ? seen : undefined
}

/** The whole catalog, with what isn't published or listed. */
export function useCatalog(search: string) {
  const query = useInfiniteQuery({
    queryKey: [...keys.catalog, 'list', search],
    queryFn: ({ pageParam, signal }) =>
      fetchCatalog({ limit: PAGE_SIZE, offset: pageParam, ...(search !== '' && { search }) }, signal),
    initialPageParam: 0,
    getNextPageParam: (last, pages) =>
      nextOffset(pages.reduce((count, page) => count + page.agents.length, 0), last.agents.length, last.total),
    placeholderData: (previous) => previous,
  })
  return { ...query, entries: query.data?.pages.flatMap(({ agents }) => agents) ?? [] }
}

export function useEntry(id: string) {
  return useQuery({ queryKey: [...keys.catalog, 'entry', id], queryFn: ({ signal }) => fetchEntry(id, signal) })
}

export function useVersions(id: string) {
  return $api.useQuery('get', '/api/admin/agents/{id}/versions', { params: { path: { id } } }, { select: ({ versions }) => versions })
}

/** Everyone with an account. */
export function useProfiles(search: string) {
  const query = useInfiniteQuery({
    queryKey: [...keys.profiles, search],
    queryFn: ({ pageParam, signal }) =>
      fetchProfiles({ limit: PAGE_SIZE, offset: pageParam, ...(search !== '' && { search }) }, signal),
    initialPageParam: 0,
    getNextPageParam: (last, pages) =>
      nextOffset(pages.reduce((count, page) => count + page.profiles.length, 0), last.profiles.length, last.total),
    placeholderData: (previous) => previous,
  })
  return { ...query, profiles: query.data?.pages.flatMap(({ profiles }) => profiles) ?? [], total: query.data?.pages.at(-1)?.total ?? 0 }
}

type Schemas = components['schemas']

type NewCatalogAgent = Schemas['NewCatalogAgent']
export type CatalogVersion = Schemas['VersionView']
type SignInLink = Schemas['SignInLink']

interface ListQuery {
  search?: string
  limit: number
  offset: number
}

function fetchCatalog(query: ListQuery, signal?: AbortSignal): Promise<Schemas['CatalogList']> {
  return unwrap(client.GET('/api/admin/agents', { params: { query }, signal }))
}

function fetchEntry(id: string, signal?: AbortSignal): Promise<AIAgent> {
  return unwrap(client.GET('/api/admin/agents/{id}', { params: { path: { id } }, signal }))
}

export function createEntry(body: NewCatalogAgent): Promise<AIAgent> {
  return unwrap(client.POST('/api/admin/agents', { body }))
}

/** Makes a new current version, which isn't published. */
export function changeEntry(id: string, body: AgentFields): Promise<AIAgent> {
  return unwrap(client.PATCH('/api/admin/agents/{id}', { params: { path: { id } }, body }))
}

export function publishEntry(id: string, version: number): Promise<AIAgent> {
  return unwrap(client.POST('/api/admin/agents/{id}/publish', { params: { path: { id } }, body: { version } }))
}

export function setEntryEnabled(id: string, enabled: boolean): Promise<AIAgent> {
  const params = { path: { id } }
  return unwrap(
    enabled ? client.POST('/api/admin/agents/{id}/enable', { params }) : client.POST('/api/admin/agents/{id}/disable', { params }),
  )
}

function fetchProfiles(query: ListQuery, signal?: AbortSignal): Promise<Schemas['ProfileList']> {
  return unwrap(client.GET('/api/admin/profiles', { params: { query }, signal }))
}

export function setRights(id: string, body: Schemas['RightsBody']): Promise<Profile> {
  return unwrap(client.PATCH('/api/admin/profiles/{id}', { params: { path: { id } }, body }))
}

/** The answer holds the link, for the only time. */
export function createSignInLink(id: string): Promise<SignInLink> {
  return unwrap(client.POST('/api/admin/profiles/{id}/sign-in-link', { params: { path: { id } } }))
}
