// Bodies as the server sends them. Tests state only what they are about.
import type { components } from '@/api/schema'
import type { AgentStats, Approval, AuthOptions, Session } from '@/api/types'

export const options: AuthOptions = { sign_up: 'invited', demo: false }

export const session: Session = {
  profile: {
    id: 'profile-1',
    email: 'ada@example.com',
    name: 'Ada Lovelace',
    time_zone: 'Europe/London',
    tier: 'free',
    is_admin: false,
    created_at: '2026-01-01T00:00:00Z',
  },
  workspaces: [{ id: 'workspace-1', name: 'Engines', slug: 'engines', role: 'member' }],
  may_make_workspaces: true,
  server: { version: '1.2.3', commit: 'abc1234', commit_date: '2026-11-18' },
}

/** With its instructions, which a list leaves out if it is asked to. */
type WholeAgent = components['schemas']['AgentWithHireStatus']

export function agent(changes: Partial<WholeAgent> = {}): WholeAgent {
  return {
    id: 'agent-1',
    name: 'Budget Coach',
    slug: 'budget-coach',
    description: 'Plans a budget with you.',
    department_id: null,
    department: null,
    avatar_url: null,
    model: 'balanced',
    system_prompt: 'Help with money.',
    permission_mode: 'default',
    max_turns: 10,
    is_enabled: true,
    is_head: false,
    config: {},
    starters: [],
    current_version: 1,
    published_version: 1,
    role: null,
    is_default: false,
    is_free: true,
    is_restricted: false,
    canChange: false,
    initial_prompt: null,
    category: 'general',
    tools: [],
    toolDetails: [],
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
    isHired: false,
    localAgentId: null,
    hiredAt: null,
    hired_version: null,
    ...changes,
  }
}

export function hiredAgent(changes: Partial<WholeAgent> = {}): WholeAgent {
  return agent({ isHired: true, localAgentId: 'local-1', hiredAt: '2026-01-02T00:00:00Z', hired_version: 1, canChange: true, ...changes })
}

export const noStats: AgentStats = {
  hiredAgents: 0,
  pendingApprovals: 0,
  completedTasks: 0,
  activeSchedules: 0,
  agents: [],
}

export function approval(changes: Partial<Approval> = {}): Approval {
  return {
    id: 'approval-1',
    workspace_id: 'workspace-1',
    conversation_id: 'conversation-1',
    agent_id: 'local-1',
    tool_call_id: 'call-1',
    tool_name: 'manageMemory',
    // The generated type of a free-form object has no fields.
    args: { action: 'save', content: 'Tea at four' } as unknown as Approval['args'],
    args_hash: 'hash-1',
    status: 'pending',
    reason: null,
    decided_by: null,
    decided_at: null,
    preview: null,
    expires_at: '2026-01-03T00:00:00Z',
    created_at: '2026-01-02T00:00:00Z',
    ...changes,
  }
}
