import type { AIAgent, LocalAgent } from '@/api/types'

const FIELDS = {
  name: 'Name',
  description: 'Description',
  system_prompt: 'System prompt',
  initial_prompt: 'Initial prompt',
  model: 'Model',
  tools: 'Tools',
  role: 'Role',
  category: 'Category',
  max_turns: 'Most steps per turn',
} as const

export interface Difference {
  label: string
  before: string
  after: string
}

/** What taking over the published version would change. */
export function differences(local: LocalAgent, published: AIAgent): Difference[] {
  return (Object.keys(FIELDS) as (keyof typeof FIELDS)[])
    .map((field) => ({ label: FIELDS[field], before: words(local[field]), after: words(published[field]) }))
    .filter(({ before, after }) => before !== after)
}

function words(value: string | number | null | readonly string[]): string {
  if (value === null || value === '') return 'none'
  return Array.isArray(value) ? value.join(', ') || 'none' : String(value)
}
