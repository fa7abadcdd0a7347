import type { Agent } from '@/api/types'

type Gate = Pick<Agent, 'is_default' | 'is_restricted' | 'role'>

/** Who can choose an agent at the public address: everyone, people with an account, or those with a premium one. */
export function publicAccess({ is_default, is_restricted, role }: Gate): 'visitors' | 'guests' | 'premium' {
  if (is_restricted) return 'premium'
  return is_default || role === 'support' ? 'visitors' : 'guests'
}
