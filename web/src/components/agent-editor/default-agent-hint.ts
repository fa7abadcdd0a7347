import type { Agent } from '@/api/types'
import type { AgentDraft } from './agent-draft'

/** What being the default agent means, and whose place it takes: a workspace has one at most. */
export function defaultAgentHint(draft: Pick<AgentDraft, 'is_restricted' | 'role'>, agentId: string, agents: readonly Agent[]): string {
  const now = agents.find(({ isHired, is_default }) => isHired && is_default)
  const place =
    now === undefined ? '' : now.localAgentId === agentId ? ' Turning it off leaves the workspace without one.' : ` ${now.name} is the default now; this replaces it.`
  return meaning(draft) + place
}

function meaning({ is_restricted, role }: Pick<AgentDraft, 'is_restricted' | 'role'>): string {
  if (is_restricted) return 'It answers unless another is chosen. Visitors don’t reach it, as it is premium only.'
  if (role.trim() === 'support') return 'It answers unless another is chosen. Visitors reach it anyway, as its role is “support”.'
  return 'It answers unless another is chosen, and visitors reach it at the public address.'
}
