// A language other than English: a catalog of the same shape for each one in `en/`. It is chosen when the app starts.
import { type Catalog, type Plural, translateAll } from './catalog'

/** What a translation of `en/settings.ts` has to be: `Translation<typeof words>`. */
export type Translation<English extends Catalog> = {
  readonly [Key in keyof English]: English[Key] extends Catalog
    ? English[Key] extends Plural
      ? Plural
      : Translation<English[Key]>
    : string
}

export interface Language {
  /** As browsers name it: `de`, `pt-BR`. */
  locale: string
  /** The texts of one catalog; what is absent stays English. */
  catalogOf: (name: string, english: Catalog) => Catalog | undefined
}

/** Once, before anything is drawn. */
export function speak({ locale, catalogOf }: Language): void {
  // Plurals go by it, and so does a screen reader's voice.
  document.documentElement.lang = locale
  translateAll((name, words) => {
    replace(words, catalogOf(name, words) ?? {})
  })
}

function replace(words: Record<string, string | Catalog>, translated: Catalog): void {
  for (const [key, text] of Object.entries(translated)) {
    const old = words[key]
    if (typeof text === 'object' && typeof old === 'object') replace(old, text)
    else words[key] = text
  }
}
