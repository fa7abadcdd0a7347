// What was written and not sent stays in this browser, for the person who wrote it and for nobody else.
import { readStored, writeStored } from '@/lib/storage'
import { forgetDrafts } from './drafts'
import { forgetQueues, readOwner, writeOwner } from './queue'

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
