/** The fields that are wrong, with what is wrong: those that aren't are false. */
export function problemsOf(checks: Record<string, string | false>): Record<string, string> {
  return Object.fromEntries(Object.entries(checks).filter((entry): entry is [string, string] => entry[1] !== false))
}

export const NAME_MISSING = 'Name is missing.'
export const NO_ADDRESS = 'Enter an address such as name@example.com.'

export function isEmail(text: string): boolean {
  return /^\S+@\S+$/.test(text.trim())
}
