// Markdown that people and agents write. Raw HTML is never parsed: it is shown as the text it is. Where links may lead is said here
// for all. Loaded on demand: the parser is large.
import type { ReactNode } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import { readGfm } from '@/lib/gfm'
import { words } from '@/words/en/markdown'
import { say } from '@/words/say'
import './markdown.css'

interface MarkdownTextProps {
  text: string
  components: Components
  /** Whether it is an address of Baton's own, such as `page:ID`, which `components` make something of. */
  isOwn?: (url: string) => boolean
}

export function MarkdownText({ text, components, isOwn }: MarkdownTextProps) {
  return (
    <ReactMarkdown remarkPlugins={PLUGINS} components={components} urlTransform={(url) => (isOwn?.(url) === true ? url : (safeUrl(url) ?? ''))}>
      {text}
    </ReactMarkdown>
  )
}

const PLUGINS = [readGfm]

/** What looks alike wherever Markdown is shown. */
export const COMMON_PARTS: Components = {
  table: ({ children }) => (
    <div tabIndex={0} role="group" aria-label={words.table} className="overflow-x-auto rounded-lg border border-border">
      <table>{children}</table>
    </div>
  ),
  pre: ({ children }) => (
    <pre
      dir="ltr"
      tabIndex={0}
      aria-label={say(words.codeIn, { language: words.plainTextInName })}
      className="overflow-x-auto rounded-lg border border-border bg-subtle/60 p-3 font-mono text-[0.8125rem] leading-5.5"
    >
      {children}
    </pre>
  ),
  input: ({ checked }) => (
    <input type="checkbox" checked={checked} disabled aria-label={checked ? words.done : words.toDo} className="me-2 accent-brand" />
  ),
}

export const LINK = 'rounded-sm font-medium text-brand underline decoration-brand/40 underline-offset-3 hover:decoration-brand'
/** Another site is opened beside Baton, and isn't told where from. */
export const ELSEWHERE = { target: '_blank', rel: 'noopener noreferrer nofollow' }

/** A link to another site. Where it may not lead, only its words are left. */
export function SafeLink({ href, children }: { href: string | undefined; children: ReactNode }) {
  const url = safeUrl(href)
  if (url === undefined) return <span>{children}</span>
  return (
    <a href={url} {...ELSEWHERE} className={LINK}>
      {children}
    </a>
  )
}

const SCHEMES = new Set(['http:', 'https:', 'mailto:'])

/** The address if a link may lead there. What is written can come from anyone, so all else stays plain text. */
export function safeUrl(value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  try {
    const url = new URL(value)
    return SCHEMES.has(url.protocol) ? url.href : undefined
  } catch {
    // No scheme: relative to this site, where what is written has nothing to point to.
    return undefined
  }
}
