/** A title as a file's name that every system takes: letters, digits and single dashes. */
export function fileName(title: string, ending: string): string {
  const words = title.normalize('NFKC').match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  const name = Array.from(words.join('-')).slice(0, 60).join('').replace(/-$/, '')
  return `conversation${name === '' ? '' : `-${name}`}.${ending}`
}
