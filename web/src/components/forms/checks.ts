/** The fields that are wrong, with what is wrong: those that aren't are false. */
export function problemsOf(checks: Record<string, string | false>): Record<string, string> {
  return Object.fromEntries(Object.entries(checks).filter((entry): entry is [string, string] => entry[1] !== false))
}

export const NAME_MISSING = 'Name is missing.'
export const NO_ADDRESS = 'Enter an address such as name@example.com.'

export function isEmail(text: string): boolean {
  return /^\S+@\S+$/.test(text.trim())
}

/** The fields of `after` that say something else in `before`: a save sends no more, so it undoes nothing of a colleague's. */
export function changes<Body extends object>(before: Body, after: Body): Partial<Body> {
  const isChanged = ([field, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(before[field as keyof Body])
  return Object.fromEntries(Object.entries(after).filter(isChanged)) as Partial<Body>
}
