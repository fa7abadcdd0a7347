import type { CatalogVersion } from '@/api/admin'

/** What an agent is made of, as the server stores it. */
export type Definition = Omit<CatalogVersion['definition'], 'toolDetails'>

/** What the forms call each field. A field that the server gains is missed here by the compiler. */
export const FIELD_LABELS: Record<keyof Definition, string> = {
  name: 'Name',
  description: 'Description',
  avatar_url: 'Avatar',
  role: 'Role',
  category: 'Category',
  department_id: 'Department',
  is_head: 'Heads its department',
  system_prompt: 'System prompt',
  initial_prompt: 'Initial prompt',
  model: 'Model',
  permission_mode: 'Permission mode',
  max_turns: 'Most steps per turn',
  tools: 'Tools',
  is_restricted: 'Premium only',
  is_default: 'Default agent',
  is_free: 'Shown as free',
  config: 'Config',
  starters: 'Starters',
}

/** The fields in which two definitions differ, in the order of the forms. */
export function differentFields(before: Definition, after: Definition): (keyof Definition)[] {
  return (Object.keys(FIELD_LABELS) as (keyof Definition)[]).filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  )
}
