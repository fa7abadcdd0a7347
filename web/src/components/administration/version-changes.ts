import type { CatalogVersion } from '@/api/admin'

type Definition = CatalogVersion['definition']

const LABELS: Partial<Record<keyof Definition, string>> = {
  name: 'name',
  description: 'description',
  avatar_url: 'avatar',
  role: 'role',
  category: 'category',
  department_id: 'department',
  system_prompt: 'system prompt',
  initial_prompt: 'initial prompt',
  model: 'model',
  permission_mode: 'permission mode',
  max_turns: 'most steps per turn',
  tools: 'tools',
  is_restricted: 'premium only',
  is_default: 'default agent',
  is_free: 'shown as free',
  is_head: 'heads its department',
  config: 'config',
}

/** What a version made different from the one before it, by the names that the form has for it. */
export function versionChanges(before: Definition, after: Definition): string[] {
  return (Object.keys(LABELS) as (keyof Definition)[])
    .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
    .map((field) => LABELS[field] ?? field)
}
