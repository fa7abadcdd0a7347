import type { NewAgent } from '@/api/types'
import type { AgentDraft } from './agent-draft'

export function newAgentDraft(model: string): AgentDraft {
  return {
    name: '',
    description: '',
    avatar_url: '',
    role: '',
    category: 'general',
    department_id: '',
    is_head: false,
    system_prompt: '',
    initial_prompt: '',
    model,
    permission_mode: 'default',
    max_turns: '',
    tools: [],
    public_tools: [],
    is_restricted: false,
    is_free: false,
    is_default: false,
    config: '{}',
  }
}

/** What the short form asks for; the server chooses the rest. */
export function newAgentOf({ name, description, role, system_prompt, model, tools }: AgentDraft): NewAgent {
  return {
    name,
    system_prompt,
    model,
    tools: [...tools],
    description: description.trim() === '' ? null : description,
    role: role.trim() === '' ? null : role,
  }
}
