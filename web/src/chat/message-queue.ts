// Messages that wait for a turn to end, or for the server to have them. Kept for this tab, so that a reload loses none. A
// message's id is the key it is sent with: sent twice, it is said once.
import { randomId } from '@/lib/random-id'
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
