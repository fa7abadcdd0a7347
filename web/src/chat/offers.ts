// The offered switches that a person has put away in this tab, so that a reload doesn't bring them back.
import { readStored, writeStored } from '@/lib/storage'

const keyOf = (conversationId: string) => `baton.offer-put-away.${conversationId}`

/** `after`: the message under which it was offered. */
export function putAway(conversationId: string, after: string): void {
  writeStored(keyOf(conversationId), after, 'sessionStorage')
}

export function isPutAway(conversationId: string, after: string | undefined): boolean {
  return after !== undefined && readStored(keyOf(conversationId), 'sessionStorage') === after
}
