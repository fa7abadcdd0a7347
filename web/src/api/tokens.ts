import type { components } from './schema'
import { client, unwrap } from './client'

export type Token = components['schemas']['TokenView']
export type CreatedToken = components['schemas']['CreatedToken']

export async function fetchTokens(signal?: AbortSignal): Promise<Token[]> {
  return (await unwrap(client.GET('/api/auth/tokens', { signal }))).tokens
}

/** The answer holds the secret, for the only time. */
export function createToken(body: { name: string; workspaceId: string }): Promise<CreatedToken> {
  return unwrap(client.POST('/api/auth/tokens', { body }))
}

export async function deleteToken(id: string): Promise<void> {
  await unwrap(client.DELETE('/api/auth/tokens/{id}', { params: { path: { id } } }))
}
