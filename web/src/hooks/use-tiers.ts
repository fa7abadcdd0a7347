import { useHiredAgents } from './use-agent-lists'
import { useSession } from './use-session'

/**
 * Whether people here have to do with tiers: the person is premium, or an agent of the workspace is for premium profiles only.
 * Where nobody has set tiers up, nothing is said about them; a server admin does so in the administration.
 */
export function useTiers(): boolean {
  const { tier } = useSession().profile
  const { data: agents = [] } = useHiredAgents()
  return tier === 'premium' || agents.some(({ is_restricted }) => is_restricted)
}
