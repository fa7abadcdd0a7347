import type { Role } from '@/hooks/use-members'
import { words } from '@/words/en/settings'

export const ROLES: Record<Role, string> = words.roles

const RANKS: readonly Role[] = ['member', 'admin', 'owner']

/** The roles that someone may give: none that is above their own. */
export function rolesToGive(own: Role): readonly Role[] {
  return own === 'member' ? [] : RANKS.slice(0, RANKS.indexOf(own) + 1)
}

/** Whether someone may give another role to a member, or remove them. */
export function mayManage(own: Role, other: Role): boolean {
  return rolesToGive(own).includes(other)
}
