// The texts that people read, as data. English is the source: `en/` has one catalog for each part of the app, so that a page
// brings its own texts when it is loaded. Another language replaces the texts in place before anything is drawn (language.ts);
// so nothing may copy a text while modules load, which the lint rule `words/read-late` watches over.

/** A text for each form of a number that the language has; `count` chooses. */
export type Plural = { readonly other: string } & Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>

export interface Catalog {
  readonly [key: string]: string | Catalog
}

type Translate = (name: string, words: Catalog) => void

let translate: Translate | undefined
const loaded = new Map<string, Catalog>()

/** One part of the app's English texts. The types keep each text, so that its placeholders are checked where it is used. */
export function catalog<const English extends Catalog>(name: string, english: English): English {
  loaded.set(name, english)
  translate?.(name, english)
  return english
}

/** Translates each catalog, also those of pages that are loaded later. */
export function translateAll(each: Translate): void {
  translate = each
  loaded.forEach((words, name) => {
    each(name, words)
  })
}
