// The text of a page. Links to pages and images of pages are known by their ids.
import type { ReactNode } from 'react'
import type { Components } from 'react-markdown'
import { Link } from 'wouter'
import { COMMON_PARTS, LINK, MarkdownText, SafeLink } from '@/components/ui/markdown'
import { words } from '@/words/en/markdown'

export default function PageMarkdown({ text }: { text: string }) {
  return (
    <div dir="auto" className="markdown wrap-anywhere">
      <MarkdownText text={text} components={COMPONENTS} isOwn={isOwn} />
    </div>
  )
}

const COMPONENTS: Components = {
  ...COMMON_PARTS,
  a: ({ href, children }) => <PageLink href={href}>{children}</PageLink>,
  img: ({ src, alt }) => <PageImage src={typeof src === 'string' ? src : undefined} alt={alt ?? ''} />,
  // Headings of a page stand below its title.
  h1: ({ children }) => <h2>{children}</h2>,
  h2: ({ children }) => <h3>{children}</h3>,
  h3: ({ children }) => <h4>{children}</h4>,
  h4: ({ children }) => <h5>{children}</h5>,
  h5: ({ children }) => <h6>{children}</h6>,
}

function PageLink({ href, children }: { href: string | undefined; children: ReactNode }) {
  const page = idAfter('page:', href)
  if (page !== undefined) {
    return (
      <Link to={`/knowledge/${page}`} className={LINK}>
        {children}
      </Link>
    )
  }
  const file = idAfter('file:', href)
  if (file === undefined) return <SafeLink href={href}>{children}</SafeLink>
  return (
    <a href={fileUrl(file)} download className={LINK}>
      {children}
    </a>
  )
}

/** Images of this workspace are shown; loading another would tell a stranger's server who reads. */
function PageImage({ src, alt }: { src: string | undefined; alt: string }) {
  const file = idAfter('file:', src)
  if (file !== undefined) return <img src={fileUrl(file)} alt={alt} loading="lazy" className="max-w-full rounded-lg border border-border" />
  return <PageLink href={src}>{alt === '' ? words.image : alt}</PageLink>
}

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/

const isOwn = (url: string) => idAfter('page:', url) !== undefined || idAfter('file:', url) !== undefined

function idAfter(scheme: string, url: string | undefined): string | undefined {
  return url?.startsWith(scheme) ? ID.exec(url.slice(scheme.length))?.[0] : undefined
}

function fileUrl(id: string): string {
  return `/api/knowledge/files/${id}`
}
