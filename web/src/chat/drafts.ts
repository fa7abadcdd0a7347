// What a person has written and not sent, per conversation, with the files that go along, kept in this browser. The oldest go
// when there are too many, or when together they are more than a browser keeps; none is cut.
import type { Attachment } from '@/api/types'
import { readStored, writeStored } from '@/lib/storage'
import { forgetQueues, readOwner, writeOwner } from './message-queue'

const KEY = 'baton.drafts'
const MAX_DRAFTS = 50
/** A browser keeps about five million characters for a server, and a message has at most 200,000. */
const MAX_LENGTH = 1_000_000

/** The file itself isn't kept: what the server has of it is, and that it has nothing yet. */
export interface DraftFile {
  name: string
  size: number
  attachment?: Attachment
  /** Why it can't be sent. */
  problem?: string
}

/** Texts that no browser keeps, for as long as the page is open. */
const large = new Map<string, string>()

/** The latest last. */
type Drafts = [key: string, text: string, files?: readonly DraftFile[]][]

export function readDraft(key: string): string {
  return large.get(key) ?? find(key)?.[1] ?? ''
}

/** Empty text without files forgets the draft. */
export function writeDraft(key: string, text: string): void {
  keep(key, text, readDraftFiles(key))
}

export function readDraftFiles(key: string): readonly DraftFile[] {
  return find(key)?.[2] ?? []
}

export function writeDraftFiles(key: string, files: readonly DraftFile[]): void {
  keep(key, readDraft(key), files)
}

export function forgetDrafts(): void {
  large.clear()
  writeStored(KEY, '[]')
}

function keep(key: string, text: string, files: readonly DraftFile[]): void {
  const drafts: Drafts = read().filter(([kept]) => kept !== key)
  // One that is too much by itself would take all others with it.
  const isLarge = text.length > MAX_LENGTH
  if (isLarge) large.set(key, text)
  else large.delete(key)
  const small = isLarge ? '' : text
  if (small.trim() !== '' || files.length > 0) drafts.push(files.length === 0 ? [key, small] : [key, small, files])
  let length = 0
  const tooOld = drafts.findLastIndex(([, { length: more }]) => (length += more) > MAX_LENGTH)
  writeStored(KEY, JSON.stringify(drafts.slice(tooOld + 1).slice(-MAX_DRAFTS)))
}

function find(key: string): Drafts[number] | undefined {
  return read().find(([kept]) => kept === key)
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
  if (!Array.isArray(entry)) return false
  const [key, text, files] = entry as unknown[]
  return typeof key === 'string' && typeof text === 'string' && (files === undefined || Array.isArray(files))
}

// What was written and not sent stays in this browser, for the person who wrote it and for nobody else.

/** Of the drafts, which all tabs share. Each tab has a queue of its own, and may have been another person's. */
const OWNER = 'baton.drafts.owner'

/** This person writes here from now on: what another has left is forgotten. */
export function claimUnsent(profileId: string): void {
  if (isOthers(readStored(OWNER), profileId)) forgetDrafts()
  if (isOthers(readOwner(), profileId)) forgetQueues()
  writeStored(OWNER, profileId)
  writeOwner(profileId)
}

/** Whose it was is still known, as a page that goes away may save what it has. */
export function forgetUnsent(): void {
  forgetDrafts()
  forgetQueues()
}

/** A visitor who signs in goes on with what they wrote. */
function isOthers(owner: string | null, profileId: string): boolean {
  return owner !== null && owner !== profileId
}
