// Who is in a workspace, and who is asked to join.
import type { components } from './schema'
import { client, unwrap } from './client'

export type Member = components['schemas']['MemberView']
export type Role = Member['role']
export type PendingInvitation = components['schemas']['InvitationView']
export type CreatedInvitation = components['schemas']['CreatedInvitation']

export async function fetchMembers(id: string, signal?: AbortSignal): Promise<Member[]> {
  return (await unwrap(client.GET('/api/workspaces/{id}/members', { params: { path: { id } }, signal }))).members
}

export function changeRole(id: string, profileId: string, role: Role): Promise<Member> {
  const params = { path: { id, profile_id: profileId } }
  return unwrap(client.PATCH('/api/workspaces/{id}/members/{profile_id}', { params, body: { role } }))
}

/** Removes a member; with one's own id, leaves. */
export async function removeMember(id: string, profileId: string): Promise<void> {
  const params = { path: { id, profile_id: profileId } }
  await unwrap(client.DELETE('/api/workspaces/{id}/members/{profile_id}', { params }))
}

export async function fetchInvitations(id: string, signal?: AbortSignal): Promise<PendingInvitation[]> {
  const params = { path: { id } }
  return (await unwrap(client.GET('/api/workspaces/{id}/invitations', { params, signal }))).invitations
}

/** With an address, only that address can accept. */
export function createInvitation(id: string, { email, role }: { email: string; role: Role }): Promise<CreatedInvitation> {
  const body = { role, ...(email === '' ? {} : { email }) }
  return unwrap(client.POST('/api/workspaces/{id}/invitations', { params: { path: { id } }, body }))
}

export async function revokeInvitation(id: string, invitationId: string): Promise<void> {
  const params = { path: { id, invitation_id: invitationId } }
  await unwrap(client.DELETE('/api/workspaces/{id}/invitations/{invitation_id}', { params }))
}
