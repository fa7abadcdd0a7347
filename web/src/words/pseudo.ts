// English with accents, in brackets, as `[Ṕléáśé]`: not for people, but to see which texts don't come from a catalog, and what
// happens where another language needs more room.
import type { Catalog } from './catalog'
import type { Language } from './language'

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const ACCENTED = 'áƀćďéƒǵĥíĵķĺḿńóṕɋŕśťúṽẃẍýžÁƁĆĎÉƑǴĤÍĴĶĹḾŃÓṔɊŔŚŤÚṼẂẌÝŽ'

/** Placeholders and tags stay as they are. */
export function accented(text: string): string {
  const letters = text.replaceAll(/\{\w+\}|<\/?\w+>|\p{L}/gu, (piece) => ACCENTED.charAt(LETTERS.indexOf(piece)) || piece)
  return `[${letters}]`
}

function accentedCatalog(words: Catalog): Catalog {
  return Object.fromEntries(
    Object.entries(words).map(([key, text]) => [key, typeof text === 'string' ? accented(text) : accentedCatalog(text)]),
  )
}

export const pseudo: Language = { locale: 'en-XA', catalogOf: (_, english) => accentedCatalog(english) }
