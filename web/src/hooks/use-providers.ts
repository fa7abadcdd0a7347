// Model providers and the web search engine, of the server (`null`) or of a workspace.
import { useQueryClient } from '@tanstack/react-query'
import { $api, client, unwrap } from '@/api/client'
import { keys } from '@/api/query-client'
import type { components } from '@/api/schema'

type Schemas = components['schemas']
export type Provider = Schemas['Provider']
export type ProviderModel = Schemas['ProviderModel']
export type WireFormat = Provider['wire']
export type SearchEngineSetting = Schemas['SearchEngineSetting']
export type SearchEngineKind = Schemas['SearchEngineBody']['kind']
export type TestOutcome = Schemas['TestOutcome']

/** Whose providers are meant: a workspace's, or the server's. */
export type Whose = string | null

const queryOf = (whose: Whose) => ({ params: { query: whose === null ? {} : { workspaceId: whose } } })
const bodyOf = <Body extends object>(whose: Whose, body: Body) => ({ ...body, ...(whose !== null && { workspaceId: whose }) })

export function useProviders(whose: Whose) {
  return $api.useQuery('get', '/api/providers', queryOf(whose), { select: ({ providers }) => providers })
}

export function useSearchEngine(whose: Whose) {
  return $api.useQuery('get', '/api/search-engine', queryOf(whose))
}

/** What agents think with and what tools they have depends on these. */
export function useRefreshProviders() {
  const queryClient = useQueryClient()
  return () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: keys.providers }),
      queryClient.invalidateQueries({ queryKey: keys.searchEngine }),
      queryClient.invalidateQueries({ queryKey: keys.models }),
      queryClient.invalidateQueries({ queryKey: keys.allTools }),
      queryClient.invalidateQueries({ queryKey: keys.workspaces }),
    ])
}

export interface ProviderBody {
  name: string
  wire: WireFormat
  base_url: string | null
  /** Left out, it stays. */
  key?: string
  models: ProviderModel[]
}

export function createProvider(whose: Whose, body: ProviderBody): Promise<Provider> {
  return unwrap(client.POST('/api/providers', { body: bodyOf(whose, body) }))
}

export function changeProvider(id: string, body: ProviderBody): Promise<Provider> {
  return unwrap(client.PATCH('/api/providers/{id}', { params: { path: { id } }, body }))
}

export async function removeProvider(id: string): Promise<void> {
  await unwrap(client.DELETE('/api/providers/{id}', { params: { path: { id } } }))
}

export function testProvider(whose: Whose, id: string | null, { wire, base_url, key, models }: ProviderBody): Promise<TestOutcome> {
  const model = models[0]?.model
  const body = { wire, base_url, ...(id !== null && { id }), ...(key !== undefined && { key }), ...(model !== undefined && { model }) }
  return unwrap(client.POST('/api/providers/test', { body: bodyOf(whose, body) }))
}

export interface EngineBody {
  kind: SearchEngineKind
  base_url: string | null
  key?: string
}

export async function setSearchEngine(whose: Whose, body: EngineBody): Promise<void> {
  await unwrap(client.PUT('/api/search-engine', { body: bodyOf(whose, body) }))
}

export function testSearchEngine(whose: Whose, body: EngineBody): Promise<TestOutcome> {
  return unwrap(client.POST('/api/search-engine/test', { body: bodyOf(whose, body) }))
}

export async function removeSearchEngine(whose: Whose): Promise<void> {
  await unwrap(client.DELETE('/api/search-engine', queryOf(whose)))
}
