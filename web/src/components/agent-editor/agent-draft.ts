// What the form of an agent holds, and what of it is sent.
import type { AgentFields, LocalAgent } from '@/api/types'
import { changes } from '@/components/forms/checks'
import type { DraftForm } from '@/components/forms/use-form'
import { words as texts } from '@/words/en/agent-editor'
import { words as common } from '@/words/en/common'
import { say } from '@/words/say'

export interface AgentDraft {
  name: string
  description: string
  avatar_url: string
  role: string
  category: LocalAgent['category']
  department_id: string
  is_head: boolean
  system_prompt: string
  initial_prompt: string
  model: string
  permission_mode: LocalAgent['permission_mode']
  max_turns: string
  tools: readonly string[]
  public_tools: readonly string[]
  is_restricted: boolean
  is_free: boolean
  is_default: boolean
  config: string
}

/** What each section of the form gets. */
export interface AgentFormProps {
  form: DraftForm<AgentDraft>
  readOnly: boolean
}

export const CATEGORIES: Record<LocalAgent['category'], string> = texts.categories

export const MAX_TURNS = 200

export function draftOf(agent: Pick<LocalAgent, keyof AgentDraft>): AgentDraft {
  return {
    name: agent.name,
    description: agent.description ?? '',
    avatar_url: agent.avatar_url ?? '',
    role: agent.role ?? '',
    category: agent.category,
    department_id: agent.department_id ?? '',
    is_head: agent.is_head,
    system_prompt: agent.system_prompt ?? '',
    initial_prompt: agent.initial_prompt ?? '',
    model: agent.model,
    permission_mode: agent.permission_mode,
    max_turns: String(agent.max_turns),
    tools: agent.tools,
    public_tools: agent.public_tools,
    is_restricted: agent.is_restricted,
    is_free: agent.is_free,
    is_default: agent.is_default,
    config: JSON.stringify(agent.config, null, 2),
  }
}

/** Only what changed: some fields may be sent by admins alone, even as they are. */
export function changesOf(saved: AgentDraft, draft: AgentDraft): AgentFields {
  const changed = Object.keys(changes(saved, draft)) as (keyof AgentDraft)[]
  return Object.fromEntries(changed.map((field) => [field, sent(field, draft)]))
}

function sent(field: keyof AgentDraft, draft: AgentDraft): unknown {
  switch (field) {
    case 'max_turns':
      return Number(draft.max_turns)
    case 'config':
      return JSON.parse(draft.config)
    case 'description':
    case 'avatar_url':
    case 'role':
    case 'department_id':
    case 'initial_prompt':
      return draft[field].trim() === '' ? null : draft[field]
    default:
      return draft[field]
  }
}

/** What is wrong, by field, as far as it can be told here. */
export function checkAgent(draft: AgentDraft): Record<string, string> {
  const problems: Record<string, string> = {}
  if (draft.name.trim() === '') problems.name = common.nameIsMissing
  if (draft.system_prompt.trim() === '') problems.system_prompt = texts.instructionsAreMissing
  const turns = Number(draft.max_turns)
  if (!Number.isInteger(turns) || turns < 1 || turns > MAX_TURNS) {
    problems.max_turns = say(texts.useAWholeNumberFrom, { maxturns: MAX_TURNS })
  }
  if (!isJsonObject(draft.config)) problems.config = texts.thisIsNotAJSON
  return problems
}

export function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

const SUPPORT_WORDS = ['support', 'help', 'helpdesk']

/** The role that the server would give a new agent of this name. */
export function suggestedRole(name: string): string {
  const words = name.toLowerCase().split(/[^\p{L}\p{N}]+/u)
  return words.some((word) => SUPPORT_WORDS.includes(word)) ? 'support' : ''
}
