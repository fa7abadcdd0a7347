import { client, unwrap } from './client'
import type { AuthOptions, LinkPreview, Session } from './types'

export function fetchAuthOptions(signal?: AbortSignal): Promise<AuthOptions> {
  return unwrap(client.GET('/api/auth/options', { signal }))
}

/** Who is signed in, or null. */
export async function fetchSession(signal?: AbortSignal): Promise<Session | null> {
  return (await unwrap(client.GET('/api/auth/session', { signal }))).session
}

export function signIn(body: { email: string; password: string }): Promise<Session> {
  return unwrap(client.POST('/api/auth/sign-in', { body }))
}

export interface NewAccount {
  name: string
  email: string
  password: string
}

export function signUp(body: NewAccount & { invitation?: string }): Promise<Session> {
  return unwrap(client.POST('/api/auth/sign-up', { body }))
}

export async function signOut(): Promise<void> {
  await unwrap(client.POST('/api/auth/sign-out'))
}

/** What a one-time link is for. Looking does not spend it. */
export function previewLink(token: string, signal?: AbortSignal): Promise<LinkPreview> {
  return unwrap(client.POST('/api/auth/links/preview', { body: { token }, signal }))
}

/** Spends a one-time link. The link that sets up a server also needs the account to create. */
export function redeemLink(body: { token: string } & Partial<NewAccount>): Promise<Session> {
  return unwrap(client.POST('/api/auth/links/redeem', { body }))
}
