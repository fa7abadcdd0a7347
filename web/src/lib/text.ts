const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** What people count as characters: an accented letter is one, and so is a flag. */
export function characters(text: string): string[] {
  return Array.from(graphemes.segment(text), ({ segment }) => segment)
}

/** Up to two letters that stand for a person. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/)
  const chosen = words.length > 1 ? [words[0], words.at(-1)] : words
  return chosen.map((word) => characters(word ?? '')[0] ?? '').join('').toUpperCase()
}

/** A name that programs use, for people: `needs_analysis` is “Needs analysis”. */
export function sentenceCase(name: string): string {
  const words = name.replaceAll(/[_-]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** A tool's name as people read it. What is a name for people already stays as it is. */
export function toolWords(name: string): string {
  if (!/^[a-z][\w-]*$/.test(name)) return name
  // `searchWeb` is two words; `CRM` is one.
  const words = name.replaceAll(/([a-z\d])([A-Z][a-z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`)
  return sentenceCase(words.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2'))
}

/** Of an address: whom it leads to. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}
