// Who is in a workspace, and who is asked to join.
import { useQueryClient } from '@tanstack/react-query'
import { $api, client, unwrap } from '@/api/client'
import { keys } from '@/api/query-client'
import type { components } from '@/api/schema'
import { useWorkspace } from './use-workspace'

export function useMembers() {
  const { id } = useWorkspace()
  return $api.useQuery('get', '/api/workspaces/{id}/members', { params: { path: { id } } }, { select: ({ members }) => members })
}

/** Members by their names, for fields that name a person. */
export function useMemberOptions(): { id: string; name: string }[] {
  const { data } = useMembers()
  return data?.map(({ profile_id: id, name }) => ({ id, name })) ?? []
}

/** Those that can still be accepted; only admins and owners may ask. */
export function useInvitations() {
  const { id } = useWorkspace()
  return $api.useQuery('get', '/api/workspaces/{id}/invitations', { params: { path: { id } } }, { select: ({ invitations }) => invitations })
}

export function useRefreshPeople(): () => Promise<unknown> {
  const { id } = useWorkspace()
  const queryClient = useQueryClient()
  return () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: keys.members(id) }),
      queryClient.invalidateQueries({ queryKey: keys.invitations(id) }),
    ])
}

export type Member = components['schemas']['MemberView']
export type Role = Member['role']
export type PendingInvitation = components['schemas']['InvitationView']
export type CreatedInvitation = components['schemas']['CreatedInvitation']

export function changeRole(id: string, profileId: string, role: Role): Promise<Member> {
  const params = { path: { id, profile_id: profileId } }
  return unwrap(client.PATCH('/api/workspaces/{id}/members/{profile_id}', { params, body: { role } }))
}

/** Removes a member; with one's own id, leaves. */
export async function removeMember(id: string, profileId: string): Promise<void> {
  const params = { path: { id, profile_id: profileId } }
  await unwrap(client.DELETE('/api/workspaces/{id}/members/{profile_id}', { params }))
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
