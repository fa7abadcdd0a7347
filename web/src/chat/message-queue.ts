// Messages that wait for a turn to end, or for the server to have them. Kept for this tab, so that a reload loses none. A
// message's id is the key it is sent with: sent twice, it is said once.
import type { NewMessage } from '@/api/chat'
import { readStored, writeStored } from '@/lib/storage'
import type { QueuedMessage } from './types'

const PREFIX = 'baton.queue.'
const OWNER = 'baton.queue-owner'

export interface Outgoing extends QueuedMessage {
  webSearch?: boolean
}

export function newOutgoing(content: string, options: Partial<Omit<Outgoing, 'id' | 'content'>>): Outgoing {
  return { id: randomId(), content, attachments: [], ...options }
}

export function readQueue(place: string): Outgoing[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(keyOf(place)) ?? '[]')
    return Array.isArray(kept) ? (kept as Outgoing[]) : []
  } catch {
    return []
  }
}

export function writeQueue(place: string, queue: readonly Outgoing[]): void {
  try {
    if (queue.length === 0) sessionStorage.removeItem(keyOf(place))
    else sessionStorage.setItem(keyOf(place), JSON.stringify(queue))
  } catch {
    // Storage is blocked or full: it holds for as long as the page does.
  }
}

export function forgetQueues(): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key)
  } catch {
    // Nothing was kept.
  }
}

/** Whose messages wait in this tab. */
export function readOwner(): string | null {
  return readStored(OWNER, 'sessionStorage')
}

export function writeOwner(profileId: string): void {
  writeStored(OWNER, profileId, 'sessionStorage')
}

function keyOf(place: string): string {
  return PREFIX + place
}

// Where a chat takes place, and what is sent there.

export interface ChatPlace {
  workspaceId: string
  agentId?: string
  teamId?: string
  conversationId: string | null
}

/** With whom a conversation that isn't there yet begins. */
export function beginning({ agentId, teamId }: ChatPlace): { agentId?: string; teamId?: string } {
  return teamId === undefined ? { agentId } : { teamId }
}

export function messageBody(place: ChatPlace, message: Outgoing, conversationId: string | null): NewMessage {
  const { content, attachments, webSearch } = message
  return {
    workspaceId: place.workspaceId,
    message: content,
    ...(conversationId === null ? beginning(place) : { conversationId }),
    ...(attachments.length > 0 && { attachments: attachments.map(({ id }) => id) }),
    ...(webSearch === true && { webSearch }),
  }
}

/** What names the messages that wait. */
export function queuePlace({ agentId, teamId }: ChatPlace, conversationId: string | null): string {
  return conversationId ?? `new.${teamId ?? agentId ?? ''}`
}

/** `crypto.randomUUID` is missing where a server on the local network is used without TLS. */
function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
