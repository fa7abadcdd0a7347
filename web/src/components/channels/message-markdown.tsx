// The text of a message. Raw HTML is never parsed, and no image is loaded: its server would hear who reads.
import ReactMarkdown, { type Components } from 'react-markdown'
import { readGfm } from '@/lib/gfm'
import { words as chat } from '@/words/en/chat'
import { words } from '@/words/en/channels'
import { say } from '@/words/say'
import '@/components/chat/markdown.css'

const PLUGINS = [readGfm]

export default function MessageMarkdown({ text }: { text: string }) {
  return (
    <div dir="auto" className="markdown text-sm wrap-anywhere [&_p]:whitespace-pre-line">
      <ReactMarkdown remarkPlugins={PLUGINS} components={COMPONENTS} urlTransform={(url) => safeUrl(url) ?? ''}>
        {text}
      </ReactMarkdown>
    </div>
  )
}

const PERSON = 'person:'
const LINK = 'rounded-sm font-medium text-brand underline decoration-brand/40 underline-offset-3 hover:decoration-brand'

const COMPONENTS: Components = {
  a: ({ href, children }) => {
    if (href?.startsWith(PERSON)) return <strong className="rounded-sm bg-brand-subtle px-0.5 font-medium text-brand">{children}</strong>
    if (href === undefined || href === '') return <span>{children}</span>
    return (
      <a href={href} target="_blank" rel="noopener noreferrer nofollow" className={LINK}>
        {children}
      </a>
    )
  },
  img: ({ src, alt }) => {
    const name = alt === undefined || alt === '' ? words.image : alt
    return typeof src === 'string' && src !== '' ? (
      <a href={src} target="_blank" rel="noopener noreferrer nofollow" className={LINK}>
        {name}
      </a>
    ) : (
      <span>{name}</span>
    )
  },
  table: ({ children }) => (
    <div tabIndex={0} role="group" aria-label={chat.table} className="overflow-x-auto rounded-lg border border-border">
      <table>{children}</table>
    </div>
  ),
  pre: ({ children }) => (
    <pre
      dir="ltr"
      tabIndex={0}
      aria-label={say(chat.codeIn, { language: chat.plainTextInName })}
      className="overflow-x-auto rounded-lg border border-border bg-subtle/60 p-3 font-mono text-[0.8125rem] leading-5.5"
    >
      {children}
    </pre>
  ),
  // A message has no headings of its own: it stands among others.
  h1: ({ children }) => <p><strong>{children}</strong></p>,
  h2: ({ children }) => <p><strong>{children}</strong></p>,
  h3: ({ children }) => <p><strong>{children}</strong></p>,
  h4: ({ children }) => <p><strong>{children}</strong></p>,
  h5: ({ children }) => <p><strong>{children}</strong></p>,
  h6: ({ children }) => <p><strong>{children}</strong></p>,
  input: ({ checked }) => (
    <input type="checkbox" checked={checked} disabled aria-label={checked ? chat.done : chat.toDo} className="me-2 accent-brand" />
  ),
}

const SCHEMES = new Set(['http:', 'https:', 'mailto:'])

function safeUrl(value: string): string | undefined {
  if (value.startsWith(PERSON)) return value
  try {
    const url = new URL(value)
    return SCHEMES.has(url.protocol) ? url.href : undefined
  } catch {
    return undefined
  }
}
