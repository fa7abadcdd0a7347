import type { AIAgent, LocalAgent } from '@/api/types'
import { agentAvatar } from '@/components/agents/agent-avatar'
import type { CatalogVersion } from '@/hooks/use-administration'
import { words } from '@/words/en/agent-editor'
import { CATEGORIES } from './agent-draft'

type Described = LocalAgent | AIAgent

export interface Difference {
  label: string
  before: string
  after: string
}

/** What taking over the published version would change. */
export function differences(local: LocalAgent, published: AIAgent, by: { isAdmin: boolean }): Difference[] {
  return differentFields(local, published)
    .filter((field) => by.isAdmin || !staysForMembers(field, published))
    .filter((field) => field !== 'is_default')
    .map((field) => difference(field, local, published))
}

/** As the server does it: what only admins and owners set stays as it is when a member takes a version over. */
function staysForMembers(field: keyof Definition, published: AIAgent): boolean {
  return field === 'permission_mode' || field === 'is_restricted' || (field === 'role' && published.role === 'support')
}

function difference(field: keyof Definition, local: LocalAgent, published: AIAgent): Difference {
  const before = wordsFor(field, local)
  const after = wordsFor(field, published)
  // Pictures have no names that tell them apart.
  return { label: FIELD_LABELS[field], before, after: after === words.aPicture && after === before ? words.anotherPicture : after }
}

function wordsFor(field: keyof Definition, agent: Described): string {
  switch (field) {
    case 'avatar_url':
      return agent.avatar_url === null ? words.noneLower : avatarWords(agent.avatar_url)
    case 'department_id':
      return agent.department?.name ?? words.noneLower
    case 'category':
      return CATEGORIES[agent.category]
    case 'permission_mode':
      return PERMISSION_MODES[agent.permission_mode].label
    case 'tools':
      return agent.tools.map((id) => toolName(id, agent)).join(', ') || words.noneLower
    case 'config':
      return JSON.stringify(agent.config, null, 1)
    case 'starters':
      return agent.starters.map(({ text }) => text).join('\n') || words.noneLower
    default:
      return plainWords(agent[field] ?? null)
  }
}

function toolName(id: string, { toolDetails }: Described): string {
  return toolDetails.find((tool) => tool.id === id)?.name ?? id
}

function avatarWords(url: string): string {
  const avatar = agentAvatar(url)
  return avatar.kind === 'emoji' ? avatar.emoji : words.aPicture
}

function plainWords(value: string | number | boolean | null): string {
  if (typeof value === 'boolean') return value ? words.yes : words.no
  return value === null || value === '' ? words.noneLower : String(value)
}

/** What an agent is made of, as the server stores it. */
type Definition = Omit<CatalogVersion['definition'], 'toolDetails'>

/** What the forms call each field. A field that the server gains is missed here by the compiler. */
export const FIELD_LABELS: Record<keyof Definition, string> = words.fieldLabels

/** The fields in which two definitions differ, in the order of the forms. */
export function differentFields(before: Definition, after: Definition): (keyof Definition)[] {
  return (Object.keys(FIELD_LABELS) as (keyof Definition)[]).filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  )
}

type PermissionMode = LocalAgent['permission_mode']

export const PERMISSION_MODES: Record<PermissionMode, { label: string; note: string }> = words.permissionModes
