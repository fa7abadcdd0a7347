// An agent as a chat shows it, whoever may see how much of it.
import { useMemo } from 'react'
import type { Agent, Session, TeamMember } from '@/api/types'
import type { UseAgentChatReturn } from '@/chat/types'
import { hiredOf, useWorkspaceAgents } from '@/hooks/use-agent-lists'
import { useHolderLine } from '@/hooks/use-holders'
import { useSession } from '@/hooks/use-session'
import { sentenceCase } from '@/lib/text'
import { words } from '@/words/en/chat'

/** Why a person may not talk to an agent of their list, in the words they are told. */
export const REFUSALS = words.refusals

type Tier = Session['profile']['tier']

export interface ChatAgent {
  id: string
  name: string
  slug: string
  avatarUrl: string | null
  role: string | null
  description: string | null
  initialPrompt: string | null
  /** Texts of first messages that it offers. */
  starters: readonly string[]
  refusal: keyof typeof REFUSALS | null
}

/** A hired agent, for someone who is signed in. */
function fromAgent(agent: Agent, tier: Tier): ChatAgent {
  return {
    id: agent.localAgentId ?? agent.id,
    name: agent.name,
    slug: agent.slug,
    avatarUrl: agent.avatar_url,
    role: agent.role,
    description: agent.description,
    initialPrompt: agent.initial_prompt,
    starters: agent.starters.map(({ text }) => text),
    refusal: refusalOf(agent, tier),
  }
}

function refusalOf({ is_restricted }: { is_restricted: boolean }, tier: Tier): ChatAgent['refusal'] {
  return is_restricted && tier === 'free' ? 'premium' : null
}

/** A member of a team, of which more is known when it is among the hired agents; premium ones aren't, on the free tier. */
export function fromMember(member: TeamMember, hired: readonly ChatAgent[], tier: Tier): ChatAgent {
  const known = hired.find(({ id }) => id === member.agent_id)
  if (known !== undefined) return known
  return {
    id: member.agent_id,
    name: member.name,
    slug: member.slug,
    avatarUrl: member.avatar_url,
    role: member.stage?.name ?? null,
    description: null,
    initialPrompt: null,
    starters: [],
    refusal: refusalOf(member, tier),
  }
}

/** What an agent is, where its name doesn't say that already. */
export function roleWords({ name, role }: Pick<ChatAgent, 'name' | 'role'>): string | undefined {
  if (role === null || role === 'default') return undefined
  const said = new Set(wordsOf(name))
  return wordsOf(role).every((word) => said.has(word)) ? undefined : sentenceCase(role)
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().split(/[\s_-]+/).filter((word) => word !== '')
}

/** The agents of the workspace that one can talk to, or is told why not. */
export function useChatAgents() {
  const { tier } = useSession().profile
  const query = useWorkspaceAgents()
  const hired = useMemo(() => (query.data === undefined ? [] : hiredOf(query.data)), [query.data])
  const agents = useMemo(() => hired.map((agent) => fromAgent(agent, tier)), [hired, tier])
  return { ...query, hired, agents }
}

/** The agent that held the conversation was let go, or is closed to this person now. */
export interface HolderGone {
  /** Who answers the next message; null when nobody can, undefined while that isn't known. */
  next: ChatAgent | null | undefined
}

interface Options {
  chat: UseAgentChatReturn
  workspaceId: string
  /** Every agent that works here. Null while that isn't known for sure. */
  agents: readonly ChatAgent[] | null
}

/** Undefined where the holder of the conversation works here, or may do so. */
export function useHolderGone({ chat, workspaceId, agents }: Options): HolderGone | undefined {
  const { active, conversationId } = chat
  const isGone = active !== null && agents !== null && !agents.some(({ id }) => id === active.agentId)
  const line = useHolderLine({ workspaceId, conversationId, enabled: isGone, epoch: active?.epoch })
  if (!isGone) return undefined
  const usable = new Map(agents.filter(({ refusal }) => refusal === null).map((agent) => [agent.id, agent]))
  return { next: line && (usable.get(line.find((id) => usable.has(id)) ?? '') ?? null) }
}
