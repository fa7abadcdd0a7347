import type { PublicWorkspace } from '@/api/types'
import type { ChatAgent } from '@/components/chat/chat-agent'

export type PublicAgent = PublicWorkspace['agents'][number]

/** Only those that this person may use are listed, so nobody here is refused. */
export function fromPublic(agent: PublicAgent): ChatAgent {
  return {
    id: agent.id,
    name: agent.name,
    slug: agent.slug,
    avatarUrl: agent.avatar_url,
    role: agent.role,
    description: agent.description,
    initialPrompt: agent.initial_prompt,
    starters: [],
    refusal: null,
  }
}

/** Whom a new conversation begins with. */
export interface Beginning {
  agentId: string | undefined
  teamId: string | undefined
  /** The address names an agent or a team that isn't there for this person. */
  isRefused: boolean
}

export function beginning(workspace: PublicWorkspace, wanted: { agentId: string | null; teamId: string | null }): Beginning {
  const team = workspace.teams.find(({ id }) => id === wanted.teamId)
  if (team !== undefined) return { agentId: team.agent_id, teamId: team.id, isRefused: false }
  const agent = workspace.agents.find(({ id }) => id === wanted.agentId)
  if (agent !== undefined) return { agentId: agent.id, teamId: undefined, isRefused: false }
  return {
    agentId: workspace.default_agent_id ?? workspace.agents[0]?.id,
    teamId: undefined,
    isRefused: wanted.agentId !== null || wanted.teamId !== null,
  }
}
