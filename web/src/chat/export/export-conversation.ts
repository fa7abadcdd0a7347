// One conversation as a file: all of it is read from the server, and written down in the browser.
import { fetchConversation } from '@/api/conversations'
import type { Conversation, ConversationDetail } from '@/api/types'
import { after, readMessages, readSwitches, shownOf } from '@/chat/hydrate'
import { words as texts } from '@/words/en/chat-on-demand'

export type ExportFormat = 'markdown' | 'json'

/** As many as the server gives at once. */
const PAGE_SIZE = 200

export async function exportConversation({ id }: Conversation, format: ExportFormat): Promise<File> {
  const detail = await readAll(id)
  const title = detail.title ?? texts.untitledConversation
  if (format === 'markdown') {
    const { toMarkdown } = await import('./markdown')
    const text = toMarkdown({ title, messages: readMessages(detail), switches: readSwitches(detail) })
    return new File([text], fileName(title, 'md'), { type: 'text/markdown' })
  }
  const { created_at, updated_at, agents, switches } = detail
  const content = { id, title, created_at, updated_at, agents, messages: shownOf(detail), switches }
  return new File([JSON.stringify(content, null, 2)], fileName(title, 'json'), { type: 'application/json' })
}

/** The conversation with every message, oldest first, and everyone who speaks in them. */
async function readAll(id: string): Promise<ConversationDetail> {
  let all = await fetchConversation(id, { limit: PAGE_SIZE })
  let before = all.has_more ? all.messages[0]?.id : undefined
  while (before !== undefined) {
    const older = await fetchConversation(id, { before, limit: PAGE_SIZE })
    all = {
      ...all,
      messages: [...older.messages, ...all.messages],
      switches: [...older.switches, ...after(readMessages(older), all.switches)],
      agents: [...older.agents.filter((agent) => all.agents.every(({ id: known }) => known !== agent.id)), ...all.agents],
    }
    before = older.has_more ? older.messages[0]?.id : undefined
  }
  return all
}

/** A title as a file's name that every system takes: letters, digits and single dashes. */
export function fileName(title: string, ending: string): string {
  const words = title.normalize('NFKC').match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  const name = Array.from(words.join('-')).slice(0, 60).join('').replace(/-$/, '')
  return `conversation${name === '' ? '' : `-${name}`}.${ending}`
}
