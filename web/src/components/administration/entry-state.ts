import type { AIAgent } from '@/api/types'

type Entry = Pick<AIAgent, 'is_enabled' | 'current_version' | 'published_version'>

export type EntryState = 'draft' | 'disabled' | 'changed' | 'published'

/** How an entry of the catalog stands: a draft was never published; `changed` has a newer version than people see. */
export function entryState({ is_enabled, current_version, published_version }: Entry): EntryState {
  if (published_version === null) return 'draft'
  if (!is_enabled) return 'disabled'
  return current_version > published_version ? 'changed' : 'published'
}
