import { client, unwrap } from './client'
import type { Invitation, Session } from './types'

export function fetchInvitation(token: string, signal?: AbortSignal): Promise<Invitation> {
  return unwrap(client.GET('/api/invitations/{token}', { params: { path: { token } }, signal }))
}

export function acceptInvitation(token: string): Promise<Session> {
  return unwrap(client.POST('/api/invitations/{token}/accept', { params: { path: { token } } }))
}
