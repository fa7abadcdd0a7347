// What a person has typed and not sent, per conversation, kept in this browser. The oldest go when there are too many.
import { useCallback, useSyncExternalStore } from 'react'
import { readStored, subscribeStored, writeStored } from '@/lib/storage'

const KEY = 'baton.drafts'
const MAX_DRAFTS = 50
const MAX_LENGTH = 20_000

/** The latest last. */
type Drafts = [key: string, text: string][]

export function readDraft(key: string): string {
  return read().find(([kept]) => kept === key)?.[1] ?? ''
}

/** Empty text forgets the draft. */
export function writeDraft(key: string, text: string): void {
  const others = read().filter(([kept]) => kept !== key)
  const drafts: Drafts = text.trim() === '' ? others : [...others, [key, text.slice(0, MAX_LENGTH)]]
  writeStored(KEY, JSON.stringify(drafts.slice(-MAX_DRAFTS)))
}

/** `key`: a conversation's id, or an agent's or a team's for a new conversation. Write '' when it is sent. */
export function useDraft(key: string): [draft: string, write: (text: string) => void] {
  const draft = useSyncExternalStore(subscribeStored, () => readDraft(key))
  const write = useCallback(
    (text: string) => {
      writeDraft(key, text)
    },
    [key],
  )
  return [draft, write]
}

function read(): Drafts {
  try {
    const drafts: unknown = JSON.parse(readStored(KEY) ?? '[]')
    return Array.isArray(drafts) ? drafts.filter(isDraft) : []
  } catch {
    return []
  }
}

function isDraft(entry: unknown): entry is Drafts[number] {
  return Array.isArray(entry) && typeof entry[0] === 'string' && typeof entry[1] === 'string'
}
