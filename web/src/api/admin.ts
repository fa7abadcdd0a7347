// What admins of the server can do, beyond any workspace.
import type { components } from './schema'
import { client, unwrap } from './client'
import type { AgentFields, AIAgent, Profile } from './types'

type Schemas = components['schemas']

export type NewCatalogAgent = Schemas['NewCatalogAgent']
export type CatalogVersion = Schemas['VersionView']
export type SignInLink = Schemas['SignInLink']

interface ListQuery {
  search?: string
  limit: number
  offset: number
}

export function fetchCatalog(query: ListQuery, signal?: AbortSignal): Promise<Schemas['CatalogList']> {
  return unwrap(client.GET('/api/admin/agents', { params: { query }, signal }))
}

export function fetchEntry(id: string, signal?: AbortSignal): Promise<AIAgent> {
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

/** The newest first. */
export async function fetchVersions(id: string, signal?: AbortSignal): Promise<CatalogVersion[]> {
  return (await unwrap(client.GET('/api/admin/agents/{id}/versions', { params: { path: { id } }, signal }))).versions
}

export function fetchProfiles(query: ListQuery, signal?: AbortSignal): Promise<Schemas['ProfileList']> {
  return unwrap(client.GET('/api/admin/profiles', { params: { query }, signal }))
}

export function setStanding(id: string, body: Schemas['StandingBody']): Promise<Profile> {
  return unwrap(client.PATCH('/api/admin/profiles/{id}', { params: { path: { id } }, body }))
}

/** The answer holds the link, for the only time. */
export function createSignInLink(id: string): Promise<SignInLink> {
  return unwrap(client.POST('/api/admin/profiles/{id}/sign-in-link', { params: { path: { id } } }))
}
