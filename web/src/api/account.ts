import type { components } from './schema'
import { client, unwrap } from './client'
import type { Session } from './types'

export type AccountChanges = components['schemas']['AccountChanges']

export function changeAccount(body: AccountChanges): Promise<Session> {
  return unwrap(client.PATCH('/api/auth/me', { body }))
}

export async function deleteAccount(): Promise<void> {
  await unwrap(client.DELETE('/api/auth/me'))
}

/** Where everything about oneself can be downloaded. */
export const ACCOUNT_EXPORT_URL = '/api/auth/me/export'
