/** The most that the server takes of a person's message. */
export const LONGEST = 200_000

/** The same of a visitor's or a guest's. */
export const LONGEST_PUBLIC = 4_000

/** By how many characters a message is too long, as the server counts: JavaScript counts some of them as two. */
export function excessOf(content: string, longest = LONGEST): number {
  if (content.length <= longest) return 0
  const pairs = content.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)?.length ?? 0
  return Math.max(0, content.length - pairs - longest)
}
