// One conversation as a file: all of it is read from the server, and written down in the browser.
import { fetchActivations, fetchConversation } from '@/api/conversations'
import { ApiError } from '@/api/errors'
import type { Conversation, ConversationDetail, StoredMessage } from '@/api/types'
import { readMessages, shownOf } from '../stored'
import { fileName } from './file-name'

export type ExportFormat = 'markdown' | 'json'

/** As many as the server gives at once. */
const PAGE_SIZE = 200

export async function exportConversation(conversation: Conversation, format: ExportFormat): Promise<File> {
  const [detail, names] = await Promise.all([readAll(conversation.id), readNames(conversation)])
  const title = detail.title ?? 'Untitled conversation'
  if (format === 'markdown') {
    const { toMarkdown } = await import('./markdown')
    const text = toMarkdown({ title, messages: readMessages(detail), names })
    return new File([text], fileName(title, 'md'), { type: 'text/markdown' })
  }
  const { id, created_at, updated_at } = detail
  const content = { id, title, created_at, updated_at, agents: Object.fromEntries(names), messages: shownOf(detail) }
  return new File([JSON.stringify(content, null, 2)], fileName(title, 'json'), { type: 'application/json' })
}

/** The conversation with every message, oldest first. */
async function readAll(id: string): Promise<ConversationDetail> {
  const newest = await fetchConversation(id, { limit: PAGE_SIZE })
  const pages: StoredMessage[][] = [newest.messages]
  let hasMore = newest.has_more
  while (hasMore) {
    const before = pages[0]?.[0]?.id
    if (before === undefined) break
    const older = await fetchConversation(id, { before, limit: PAGE_SIZE })
    pages.unshift(older.messages)
    hasMore = older.has_more
  }
  return { ...newest, messages: pages.flat() }
}

/** The agents that held it. Only members are told; others see the names that the messages tell. */
async function readNames({ id, user_id }: Conversation): Promise<Map<string, string>> {
  if (user_id === null) return new Map()
  try {
    const activations = await fetchActivations(id)
    return new Map(activations.flatMap(({ agent_id, agent_name }) => (agent_name === null ? [] : [[agent_id, agent_name] as const])))
  } catch (error) {
    if (error instanceof ApiError && (error.status === 403 || error.status === 404)) return new Map()
    throw error
  }
}
