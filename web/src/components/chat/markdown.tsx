// What agents write, as it comes: code in colours with a button to copy it, images as links.
import { ExternalLink, Image } from 'lucide-react'
import { createContext, isValidElement, memo, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import type { Components } from 'react-markdown'
import { CopyButton } from '@/components/ui/copy'
import { COMMON_PARTS, ELSEWHERE, MarkdownText, SafeLink, safeUrl } from '@/components/ui/markdown'
import { words } from '@/words/en/markdown'
import { say } from '@/words/say'
import { closeBlock, splitBlocks } from './blocks'

interface MarkdownProps {
  text: string
  /** More is coming. */
  open?: boolean
}

export default function Markdown({ text, open = false }: MarkdownProps) {
  const blocks = useMemo(() => splitBlocks(text), [text])
  return (
    <div dir="auto" className="markdown">
      {blocks.map((block, index) => {
        const grows = open && index === blocks.length - 1
        return <Block key={index} text={grows ? closeBlock(block) : block} grows={grows} />
      })}
    </div>
  )
}

/** Whether more comes into this block. */
const Grows = createContext(false)

const Block = memo(function Block({ text, grows }: { text: string; grows: boolean }) {
  return (
    <Grows value={grows}>
      <MarkdownText text={text} components={COMPONENTS} />
    </Grows>
  )
})

const COMPONENTS: Components = {
  ...COMMON_PARTS,
  a: ({ href, children }) => <SafeLink href={href}>{children}</SafeLink>,
  img: ({ src, alt }) => <ImageLink src={typeof src === 'string' ? src : undefined} alt={alt ?? ''} />,
  pre: ({ children }) => <CodeBlock>{children}</CodeBlock>,
  // Headings of an answer stand below those of the page.
  h1: ({ children }) => <h3>{children}</h3>,
  h2: ({ children }) => <h4>{children}</h4>,
  h3: ({ children }) => <h5>{children}</h5>,
  h4: ({ children }) => <h6>{children}</h6>,
  h5: ({ children }) => <h6>{children}</h6>,
}

/** Code with its language and a button to copy it. Its child is the <code> of the markdown. */
function CodeBlock({ children }: { children: ReactNode }) {
  const { code, language } = codeOf(children)
  const shown = useHighlighted(code, language)
  return (
    <div dir="ltr" className="overflow-hidden rounded-lg border border-border bg-subtle/60">
      <div className="flex items-center justify-between border-b border-border py-0.5 pr-1 pl-3 text-xs text-muted">
        <span>{language ?? words.plainText}</span>
        <CopyButton text={code} label={words.copyCode} />
      </div>
      <pre tabIndex={0} aria-label={say(words.codeIn, { language: language ?? words.plainTextInName })} className="overflow-x-auto p-3 font-mono text-[0.8125rem] leading-5.5">
        <code>{shown}</code>
      </pre>
    </div>
  )
}

/** Longer code stays plain: to colour it would hold up the page. */
const LONGEST = 20_000

/** Code with colours, once it is whole and they are there; until then as it is. */
function useHighlighted(code: string, language: string | undefined): ReactNode {
  const grows = useContext(Grows)
  const [done, setDone] = useState<{ code: string; colored: ReactNode } | null>(null)
  useEffect(() => {
    if (grows || language === undefined || code.length > LONGEST) return
    let isWanted = true
    const color = async () => {
      const { highlight } = await import('./highlight')
      const colored = await highlight(code, language)
      if (isWanted && colored !== null) setDone({ code, colored })
    }
    // Without a network it stays plain.
    color().catch(() => undefined)
    return () => {
      isWanted = false
    }
  }, [code, language, grows])
  return done?.code === code ? done.colored : code
}

function codeOf(node: ReactNode): { code: string; language?: string } {
  if (!isValidElement<{ className?: string; children?: ReactNode }>(node)) return { code: '' }
  const { className, children } = node.props
  const code = typeof children === 'string' ? children.replace(/\n$/, '') : ''
  return { code, language: /language-(\S+)/.exec(className ?? '')?.[1] }
}

/**
 * An image in an answer, as a link. Loading it by itself would tell a stranger's server that it was seen,
 * and whatever was hidden in its address.
 */
function ImageLink({ src, alt }: { src: string | undefined; alt: string }) {
  const url = safeUrl(src)
  const name = alt.trim() === '' ? words.image : alt
  if (url === undefined || url.startsWith('mailto:')) return <span>{name}</span>
  return (
    <a
      href={url}
      {...ELSEWHERE}
      className="inline-flex max-w-full items-center gap-1.5 rounded-lg border border-border bg-surface px-2.5 py-1 align-middle text-sm hover:bg-subtle"
    >
      <Image aria-hidden className="size-4 shrink-0 text-muted" />
      <span dir="auto" className="truncate">{name}</span>
      <span className="shrink-0 text-muted">{new URL(url).hostname}</span>
      <ExternalLink aria-hidden className="size-3.5 shrink-0 text-muted" />
      <span className="sr-only">{words.imageOpensInNewTab}</span>
    </a>
  )
}
