// What a person has typed and not sent, per conversation, kept in this browser. The oldest go when there are too many, or
// when together they are more than a browser keeps; none is cut.
import { readStored, writeStored } from '@/lib/storage'

const KEY = 'baton.drafts'
const MAX_DRAFTS = 50
/** A browser keeps about five million characters for a server, and a message has at most 200,000. */
const MAX_LENGTH = 1_000_000

/** The latest last. */
type Drafts = [key: string, text: string][]

export function readDraft(key: string): string {
  return read().find(([kept]) => kept === key)?.[1] ?? ''
}

/** Empty text forgets the draft. */
export function writeDraft(key: string, text: string): void {
  const others = read().filter(([kept]) => kept !== key)
  const drafts: Drafts = text.trim() === '' ? others : [...others, [key, text]]
  let length = 0
  const tooOld = drafts.findLastIndex(([, { length: more }]) => (length += more) > MAX_LENGTH)
  writeStored(KEY, JSON.stringify(drafts.slice(tooOld + 1).slice(-MAX_DRAFTS)))
}

export function forgetDrafts(): void {
  writeStored(KEY, '[]')
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
