// Bodies for settings, administration and the public chat.
import type { AIAgent, PublicWorkspace } from '@/api/types'
import type { Member, PendingInvitation } from '@/hooks/use-members'
import type { WorkspaceSettings } from '@/hooks/use-workspace-settings'
import { agent } from './samples'

export function workspaceSettings(changes: Partial<WorkspaceSettings> = {}): WorkspaceSettings {
  return {
    id: 'workspace-1',
    name: 'Engines',
    slug: 'engines',
    time_zone: 'UTC',
    spend_cap_usd: null,
    public_spend_cap_usd: 5,
    warnings: [],
    public_chat: false,
    public_unpriced: false,
    default_agent_id: 'local-1',
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
    ...changes,
  }
}

export const ada: Member = {
  profile_id: 'profile-1',
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  role: 'owner',
  joined_at: '2026-01-01T00:00:00Z',
}

export const charles: Member = { ...ada, profile_id: 'profile-2', name: 'Charles Babbage', email: 'charles@example.com', role: 'member' }

export const invitation: PendingInvitation = {
  id: 'invitation-1',
  email: 'mary@example.com',
  role: 'member',
  invited_by: 'Ada Lovelace',
  created_at: '2026-01-01T00:00:00Z',
  expires_at: '2026-01-08T00:00:00Z',
}

export function catalogEntry(changes: Partial<AIAgent> = {}): AIAgent {
  // A listed agent is its entry and how the workspace has it.
  return { ...agent(), ...changes }
}

export function publicWorkspace(changes: Partial<PublicWorkspace> = {}): PublicWorkspace {
  const one = (id: string, name: string): PublicWorkspace['agents'][number] => ({
    id,
    localAgentId: id,
    slug: id,
    name,
    description: `${name} answers.`,
    avatar_url: null,
    role: id === 'helper' ? 'support' : null,
    is_default: id === 'host',
    category: 'general',
    initial_prompt: null,
  })
  return {
    id: 'workspace-9',
    name: 'Bright Bank',
    slug: 'bright',
    default_agent_id: 'host',
    agents: [one('host', 'Host'), one('helper', 'Helper')],
    teams: [{ id: 'desk', name: 'Front desk', description: null, kind: 'swarm', agent_id: 'helper' }],
    ...changes,
  }
}
