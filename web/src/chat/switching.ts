// Who holds a conversation, when a person chooses.
import { StaleEpochError, switchAgent } from '@/api/conversations'
import type { Active } from '@/api/types'
import { readStored, writeStored } from '@/lib/storage'
import type { ChatStore } from './store'

/** Which conversation it is about. One that isn't there yet is made, once: a message may be beginning it, or another choice. */
export async function conversationOf(store: ChatStore, create: () => Promise<string>): Promise<string> {
  const isBeginning = () => store.view.isBeginning && store.view.conversationId === null
  while (isBeginning()) await store.until(() => !isBeginning())
  if (store.view.conversationId !== null) return store.view.conversationId
  store.set({ isBeginning: true })
  return create().catch((error: unknown) => {
    store.set({ isBeginning: false })
    throw error
  })
}

/** Shown at once, and taken back when the server refuses. */
export async function switchTo(store: ChatStore, conversationId: string, agentId: string, name: string | undefined): Promise<void> {
  const before = store.view.state.active
  store.setState({ active: guess(before, agentId, name), suggestion: null })
  try {
    const known = before === null || before.epoch === 0 ? undefined : before.epoch
    believe(store, await switchAgent(conversationId, agentId, known))
  } catch (error) {
    if (error instanceof StaleEpochError) believe(store, error.active)
    else if ((store.view.state.active?.epoch ?? 0) === (before?.epoch ?? 0)) store.setState({ active: before })
    throw error
  }
}

/** Of two that say who holds the conversation, the larger epoch is right. */
function believe(store: ChatStore, active: Active): void {
  if (active.epoch >= (store.view.state.active?.epoch ?? 0)) store.setState({ active })
}

/** Who will hold the conversation if the server agrees. */
function guess(before: Active | null, agentId: string, name: string | undefined): Active | null {
  if (agentId === 'auto') return before === null ? null : { ...before, pinned: false }
  const unknown = { activationId: '', messageId: null, avatarUrl: null, role: null, summary: null, epoch: before?.epoch ?? 0 }
  return { ...unknown, agentId, agentName: name ?? '', since: new Date().toISOString(), pinned: true }
}

// The offered switches that a person has put away in this tab, so that a reload doesn't bring them back.

const keyOf = (conversationId: string) => `baton.offer-put-away.${conversationId}`

/** `after`: the message under which it was offered. */
export function putAway(conversationId: string, after: string): void {
  writeStored(keyOf(conversationId), after, 'sessionStorage')
}

export function isPutAway(conversationId: string, after: string | undefined): boolean {
  return after !== undefined && readStored(keyOf(conversationId), 'sessionStorage') === after
}
