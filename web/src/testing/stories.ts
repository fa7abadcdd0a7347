// Conversations as a server really told them, from their first event on, with what it then had stored.
import type { ConversationDetail, StreamEvent } from '@/api/types'
import stories from './stories.json'

export interface Story {
  name: string
  /** Before anything was said. */
  first: ConversationDetail
  events: { cursor: string; event: StreamEvent }[]
  /** What was stored when the first `after` events had been told. */
  snapshots: { after: number; detail: ConversationDetail }[]
}

export const recorded = stories as unknown as Story[]
