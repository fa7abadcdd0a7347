import type { Invitation } from '@/api/types'

const ROLES: Record<Invitation['role'], string> = { owner: 'an owner', admin: 'an admin', member: 'a member' }

export function invitationTitle(invitation: Invitation): string {
  return `Join ${invitation.workspace_name}`
}

/** Who invites whom as what. */
export function invitationWords({ invited_by, role }: Invitation): string {
  return invited_by ? `${invited_by} invites you to join as ${ROLES[role]}.` : `You are invited to join as ${ROLES[role]}.`
}
