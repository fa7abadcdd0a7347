// A conversation as the server has it: read at first, after each turn, and page by page towards its beginning.
import { fetchConversation } from '@/api/conversations'
import { isGone } from '@/api/errors'
import type { ConversationDetail } from '@/api/types'
import { reread, shownOf, withOlder } from './hydrate'
import { asError } from './retry'
import type { ChatStore } from './store'
import type { AgentMessage } from './types'

const PAGE_SIZE = 50

export class Reading {
  private olderPage: Promise<void> | null = null

  constructor(private readonly store: ChatStore) {}

  /** For the first time, or after that failed. Whether it is there now. */
  async load(signal: AbortSignal | undefined): Promise<boolean> {
    const { conversationId } = this.store.view
    if (conversationId === null) return false
    this.store.set({ loadError: null })
    try {
      this.take(await fetchConversation(conversationId, { limit: PAGE_SIZE }, signal))
      this.store.set({ isLoading: false })
      return true
    } catch (error) {
      if (signal?.aborted === true) return false
      if (isGone(error)) this.store.lose(asError(error))
      else this.store.set({ isLoading: false, loadError: asError(error) })
      return false
    }
  }

  async again(signal: AbortSignal | undefined): Promise<void> {
    const { conversationId } = this.store.view
    if (conversationId === null) return
    const detail = await fetchConversation(conversationId, { limit: PAGE_SIZE }, signal)
    // A message that was sent meanwhile is told by its own stream.
    if (this.store.view.sending === null) this.take(detail)
  }

  readonly older = (): Promise<void> => {
    this.olderPage ??= this.readOlder().finally(() => {
      this.olderPage = null
    })
    return this.olderPage
  }

  /** Page by page, until what is looked for is there, or all is. */
  async back<Found>(find: (messages: AgentMessage[]) => Found | undefined): Promise<Found | undefined> {
    for (;;) {
      const { messages } = this.store.view.state
      const found = find(messages)
      if (found !== undefined) return found
      await this.older()
      if (this.store.view.state.messages.length === messages.length) return undefined
    }
  }

  private async readOlder(): Promise<void> {
    const { conversationId, hasOlder, state } = this.store.view
    const before = state.messages[0]?.id
    if (conversationId === null || !hasOlder || before === undefined) return
    this.store.set({ isLoadingOlder: true })
    try {
      const page = await fetchConversation(conversationId, { before, limit: PAGE_SIZE })
      this.store.set({ hasOlder: page.has_more, state: withOlder(this.store.view.state, page) })
    } finally {
      this.store.set({ isLoadingOlder: false })
    }
  }

  private take(detail: ConversationDetail): void {
    const state = reread(this.store.view.state, detail)
    const hasOlderPages = state.messages[0]?.id !== shownOf(detail)[0]?.id
    const hasOlder = hasOlderPages ? this.store.view.hasOlder : detail.has_more
    const { title, versions, family_id: familyId, team_id: teamId, parent_id: parentId } = detail
    this.store.set({ state, hasOlder, title, familyId, versions, teamId, isSubtask: parentId !== null })
  }
}
