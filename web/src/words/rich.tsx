// Sentences with a link, a name in bold or a time in them: the sentence stays whole in the catalog, so that another language
// can put its parts in another order. `{name}` is a part, and `<link>…</link>` a part with words of the sentence in it.
import { Fragment, type ReactNode } from 'react'
import type { Placeholders } from './say'

type Tags<Text extends string> = Text extends `${string}</${infer Tag}>${infer Rest}` ? Tag | Tags<Rest> : never

type Parts<Text extends string> = Record<Placeholders<Text>, ReactNode> & Record<Tags<Text>, (words: ReactNode) => ReactNode>

/** `rich(words.newHere, { link: (words) => <TextLink to="/sign-up">{words}</TextLink> })`. */
export function rich<Text extends string>(text: Text, parts: Parts<Text>): ReactNode {
  return fill(text, parts as Record<string, Part>)
}

type Part = ReactNode | ((words: ReactNode) => ReactNode)

function fill(text: string, parts: Record<string, Part>): ReactNode {
  const pieces: ReactNode[] = []
  let end = 0
  for (const { 0: whole, 1: name, 2: tag, 3: inside = '', index } of text.matchAll(/\{(\w+)\}|<(\w+)>(.*?)<\/\2>/g)) {
    pieces.push(text.slice(end, index))
    const part = parts[name ?? tag ?? '']
    pieces.push(typeof part === 'function' ? part(fill(inside, parts)) : (part ?? whole))
    end = index + whole.length
  }
  pieces.push(text.slice(end))
  return pieces.map((piece, index) => <Fragment key={index}>{piece}</Fragment>)
}
