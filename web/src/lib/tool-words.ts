import { sentenceCase } from './text'

/** A tool's name as people read it. What is a name for people already stays as it is. */
export function toolWords(name: string): string {
  if (!/^[a-z][\w-]*$/.test(name)) return name
  // `searchWeb` is two words; `CRM` is one.
  const words = name.replaceAll(/([a-z\d])([A-Z][a-z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`)
  return sentenceCase(words.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2'))
}
