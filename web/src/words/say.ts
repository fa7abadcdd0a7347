// Texts with something in them: `{name}` is a value, and a text for each form of a number is chosen by `count`.
import type { Plural } from './catalog'

/** The names in a text's placeholders; the compiler asks for a value for each. */
export type Placeholders<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never

type FormsOf<Text> = Text extends string ? Text : Extract<Text[keyof Text], string>

type Values<Text extends string | Plural> = Record<Placeholders<FormsOf<Text>>, string | number> &
  (Text extends string ? unknown : { count: number })

/** `say(words.left, { workspace })`. A number is written as the reader's language does it. */
export function say<Text extends string | Plural>(text: Text, values: Values<Text>): string {
  const known: Record<string, string | number> = values
  const form = typeof text === 'string' ? text : formOf(text, Number(known.count))
  return form.replaceAll(/\{(\w+)\}/g, (whole, name: string) => known[name]?.toLocaleString() ?? whole)
}

/** By the rules of the language that the page is in. */
function formOf(forms: Plural, count: number): string {
  return forms[new Intl.PluralRules(document.documentElement.lang || 'en').select(count)] ?? forms.other
}
