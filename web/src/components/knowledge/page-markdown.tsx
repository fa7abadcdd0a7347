// The text of a page. Raw HTML is never parsed. Links to pages and images of pages are known by their ids.
import type { ReactNode } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import { Link } from 'wouter'
import { readGfm } from '@/lib/gfm'
import { words } from '@/words/en/chat'
import { say } from '@/words/say'
import '@/components/chat/markdown.css'

const PLUGINS = [readGfm]

export default function PageMarkdown({ text }: { text: string }) {
  return (
    <div dir="auto" className="markdown wrap-anywhere">
      <ReactMarkdown remarkPlugins={PLUGINS} components={COMPONENTS} urlTransform={(url) => safeUrl(url) ?? ''}>
        {text}
      </ReactMarkdown>
    </div>
  )
}

const LINK = 'rounded-sm font-medium text-brand underline decoration-brand/40 underline-offset-3 hover:decoration-brand'

const COMPONENTS: Components = {
  a: ({ href, children }) => <PageLink href={href}>{children}</PageLink>,
  img: ({ src, alt }) => <PageImage src={typeof src === 'string' ? src : undefined} alt={alt ?? ''} />,
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
  // Headings of a page stand below its title.
  h1: ({ children }) => <h2>{children}</h2>,
  h2: ({ children }) => <h3>{children}</h3>,
  h3: ({ children }) => <h4>{children}</h4>,
  h4: ({ children }) => <h5>{children}</h5>,
  h5: ({ children }) => <h6>{children}</h6>,
  input: ({ checked }) => (
    <input type="checkbox" checked={checked} disabled aria-label={checked ? words.done : words.toDo} className="me-2 accent-brand" />
  ),
}

function PageLink({ href, children }: { href: string | undefined; children: ReactNode }) {
  if (href === undefined || href === '') return <span>{children}</span>
  const page = idAfter('page:', href)
  if (page !== undefined) {
    return (
      <Link to={`/knowledge/${page}`} className={LINK}>
        {children}
      </Link>
    )
  }
  const file = idAfter('file:', href)
  return (
    <a
      href={file === undefined ? href : fileUrl(file)}
      {...(file === undefined ? { target: '_blank', rel: 'noopener noreferrer nofollow' } : { download: true })}
      className={LINK}
    >
      {children}
    </a>
  )
}

/** Images of this workspace are shown; loading another would tell a stranger's server who reads. */
function PageImage({ src, alt }: { src: string | undefined; alt: string }) {
  const file = src === undefined ? undefined : idAfter('file:', src)
  if (file !== undefined) return <img src={fileUrl(file)} alt={alt} loading="lazy" className="max-w-full rounded-lg border border-border" />
  return <PageLink href={src}>{alt === '' ? words.image : alt}</PageLink>
}

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/

function idAfter(scheme: string, url: string): string | undefined {
  return url.startsWith(scheme) ? ID.exec(url.slice(scheme.length))?.[0] : undefined
}

function fileUrl(id: string): string {
  return `/api/knowledge/files/${id}`
}

const SCHEMES = new Set(['http:', 'https:', 'mailto:'])

function safeUrl(value: string): string | undefined {
  if (idAfter('page:', value) !== undefined || idAfter('file:', value) !== undefined) return value
  try {
    const url = new URL(value)
    return SCHEMES.has(url.protocol) ? url.href : undefined
  } catch {
    return undefined
  }
}
