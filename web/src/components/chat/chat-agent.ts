// An agent as a chat shows it, whoever may see how much of it.
import type { Agent, Session, TeamMember } from '@/api/types'
import { sentenceCase } from '@/lib/text'

/** What a visitor is told who wants an agent, or is to be handed to one, that isn't in their list. */
export const SIGN_IN_NEEDED = 'Please sign in to access this agent.'

/** Why a person may not talk to an agent of their list, in the words they are told. */
export const REFUSALS = {
  premium: 'This agent requires a premium subscription.',
} as const

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
export function fromAgent(agent: Agent, tier: Tier): ChatAgent {
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
