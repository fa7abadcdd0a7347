import { useQuery } from '@tanstack/react-query'
import { client, unwrap } from '@/api/client'
import { keys } from '@/api/query-client'
import type { components } from '@/api/schema'
import type { Invitation, LinkPreview, Session } from '@/api/types'

export function useInvitation(token: string | null) {
  return useQuery({
    queryKey: keys.invitation(token ?? ''),
    queryFn: ({ signal }) => fetchInvitation(token ?? '', signal),
    enabled: token !== null && token !== '',
  })
}

export function useLinkPreview(token: string) {
  return useQuery({
    queryKey: keys.link(token),
    queryFn: ({ signal }) => previewLink(token, signal),
    enabled: token !== '',
    // A link can be spent in another window at any time.
    staleTime: 0,
    gcTime: 0,
  })
}

export function signIn(body: { email: string; password: string }): Promise<Session> {
  return unwrap(client.POST('/api/auth/sign-in', { body }))
}

interface NewAccount {
  name: string
  email: string
  password: string
}

export function signUp(body: NewAccount & { invitation?: string }): Promise<Session> {
  return unwrap(client.POST('/api/auth/sign-up', { body }))
}

/** What a one-time link is for. Looking does not spend it. */
function previewLink(token: string, signal?: AbortSignal): Promise<LinkPreview> {
  return unwrap(client.POST('/api/auth/links/preview', { body: { token }, signal }))
}

/** Spends a one-time link. The link that sets up a server also needs the account to create. */
export function redeemLink(body: { token: string } & Partial<NewAccount>): Promise<Session> {
  return unwrap(client.POST('/api/auth/links/redeem', { body }))
}

function fetchInvitation(token: string, signal?: AbortSignal): Promise<Invitation> {
  return unwrap(client.GET('/api/invitations/{token}', { params: { path: { token } }, signal }))
}

export function acceptInvitation(token: string): Promise<Session> {
  return unwrap(client.POST('/api/invitations/{token}/accept', { params: { path: { token } } }))
}

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
