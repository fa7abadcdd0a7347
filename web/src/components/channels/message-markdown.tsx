// The text of a message. No image is loaded: its server would hear who reads.
import type { Components } from 'react-markdown'
import { COMMON_PARTS, MarkdownText, SafeLink } from '@/components/ui/markdown'
import { words } from '@/words/en/markdown'

export default function MessageMarkdown({ text }: { text: string }) {
  return (
    <div dir="auto" className="markdown text-sm wrap-anywhere [&_p]:whitespace-pre-line">
      <MarkdownText text={text} components={COMPONENTS} isOwn={isPerson} />
    </div>
  )
}

const isPerson = (url: string) => url.startsWith('person:')

const COMPONENTS: Components = {
  ...COMMON_PARTS,
  a: ({ href, children }) =>
    href !== undefined && isPerson(href) ? (
      <strong className="rounded-sm bg-brand-subtle px-0.5 font-medium text-brand">{children}</strong>
    ) : (
      <SafeLink href={href}>{children}</SafeLink>
    ),
  img: ({ src, alt }) => <SafeLink href={typeof src === 'string' ? src : undefined}>{alt === undefined || alt === '' ? words.image : alt}</SafeLink>,
  // A message has no headings of its own: it stands among others.
  h1: ({ children }) => <p><strong>{children}</strong></p>,
  h2: ({ children }) => <p><strong>{children}</strong></p>,
  h3: ({ children }) => <p><strong>{children}</strong></p>,
  h4: ({ children }) => <p><strong>{children}</strong></p>,
  h5: ({ children }) => <p><strong>{children}</strong></p>,
  h6: ({ children }) => <p><strong>{children}</strong></p>,
}
