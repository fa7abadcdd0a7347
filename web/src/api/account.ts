import type { components } from './schema'
import { client, unwrap } from './client'
import type { Session } from './types'

export type AccountChanges = components['schemas']['AccountChanges']

export function changeAccount(body: AccountChanges): Promise<Session> {
  return unwrap(client.PATCH('/api/auth/me', { body }))
}

/** The password is asked for where the account has one. */
export async function deleteAccount(password: string): Promise<void> {
  await unwrap(client.DELETE('/api/auth/me', { body: { current_password: password === '' ? null : password } }))
}

/** Where everything about oneself can be downloaded. */
export const ACCOUNT_EXPORT_URL = '/api/auth/me/export'
