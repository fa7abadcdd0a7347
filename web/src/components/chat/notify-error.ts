import { messageOf } from '@/api/errors'
import { isSessionLost } from '@/api/query-client'
import { notify } from '@/lib/toasts'

/** What went wrong is on the page already. */
export class AlreadyTold extends Error {}

/** Says what went wrong. That one has to sign in is nothing to be told on the page where one does, or after it. */
export function notifyError(error: unknown): void {
  if (!(error instanceof AlreadyTold)) notify(messageOf(error), 'error', { isOfPage: isSessionLost(error) })
}
