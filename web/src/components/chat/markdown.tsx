// What agents write. Raw HTML is never parsed: it is shown as the text it is. Loaded on demand: the parser is large.
import { memo, useMemo } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { closeBlock, splitBlocks } from './blocks'
import { CodeBlock } from './code-block'
import { ImageLink } from './image-link'
import './markdown.css'
import { SafeLink } from './safe-link'
import { safeUrl } from './safe-url'

interface MarkdownProps {
  text: string
  /** More is coming. */
  open?: boolean
}

export default function Markdown({ text, open = false }: MarkdownProps) {
  const blocks = useMemo(() => splitBlocks(text), [text])
  return (
    <div className="markdown">
      {blocks.map((block, index) => (
        <Block key={index} text={open && index === blocks.length - 1 ? closeBlock(block) : block} />
      ))}
    </div>
  )
}

const PLUGINS = [remarkGfm]

const Block = memo(function Block({ text }: { text: string }) {
  return (
    <ReactMarkdown remarkPlugins={PLUGINS} components={COMPONENTS} urlTransform={(url) => safeUrl(url) ?? ''}>
      {text}
    </ReactMarkdown>
  )
})

const COMPONENTS: Components = {
  a: ({ href, children }) => <SafeLink href={href}>{children}</SafeLink>,
  img: ({ src, alt }) => <ImageLink src={typeof src === 'string' ? src : undefined} alt={alt ?? ''} />,
  pre: ({ children }) => <CodeBlock>{children}</CodeBlock>,
  table: ({ children }) => (
    <div tabIndex={0} role="region" aria-label="Table" className="overflow-x-auto rounded-lg border border-border">
      <table>{children}</table>
    </div>
  ),
  // Headings of an answer stand below those of the page.
  h1: ({ children }) => <h3>{children}</h3>,
  h2: ({ children }) => <h4>{children}</h4>,
  h3: ({ children }) => <h5>{children}</h5>,
  h4: ({ children }) => <h6>{children}</h6>,
  h5: ({ children }) => <h6>{children}</h6>,
  input: ({ checked }) => (
    <input type="checkbox" checked={checked} disabled aria-label={checked ? 'Done' : 'To do'} className="mr-2 accent-brand" />
  ),
}
