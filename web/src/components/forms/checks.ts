import { words as common } from '@/words/en/common'
import { words } from '@/words/en/forms'

/** The fields that are wrong, with what is wrong: those that aren't are false. */
export function problemsOf(checks: Record<string, string | false>): Record<string, string> {
  return Object.fromEntries(Object.entries(checks).filter((entry): entry is [string, string] => entry[1] !== false))
}

/** For a form that needs a name. */
export const nameProblem = (name: string) => name.trim() === '' && common.nameIsMissing
export const addressProblem = (email: string) => !isEmail(email) && words.enterAnAddressSuchAs

export function isEmail(text: string): boolean {
  return /^\S+@\S+$/.test(text.trim())
}

/** The fields of `after` that say something else in `before`: a save sends no more, so it undoes nothing of a colleague's. */
export function changes<Body extends object>(before: Body, after: Body): Partial<Body> {
  const isChanged = ([field, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(before[field as keyof Body])
  return Object.fromEntries(Object.entries(after).filter(isChanged)) as Partial<Body>
}
