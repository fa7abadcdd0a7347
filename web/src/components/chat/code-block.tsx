import { isValidElement, type ReactNode } from 'react'
import { CopyButton } from './copy-button'

/** Code with its language and a button to copy it. Its child is the <code> of the markdown. */
export function CodeBlock({ children }: { children: ReactNode }) {
  const { code, language } = codeOf(children)
  return (
    <div className="overflow-hidden rounded-lg border border-border bg-subtle/60">
      <div className="flex items-center justify-between border-b border-border py-0.5 pr-1 pl-3 text-xs text-muted">
        <span>{language ?? 'Text'}</span>
        <CopyButton text={code} label="Copy code" />
      </div>
      <pre tabIndex={0} aria-label={`Code: ${language ?? 'text'}`} className="overflow-x-auto p-3 font-mono text-[0.8125rem] leading-5.5">
        <code>{code}</code>
      </pre>
    </div>
  )
}

function codeOf(node: ReactNode): { code: string; language?: string } {
  if (!isValidElement<{ className?: string; children?: ReactNode }>(node)) return { code: '' }
  const { className, children } = node.props
  const code = typeof children === 'string' ? children.replace(/\n$/, '') : ''
  return { code, language: /language-(\S+)/.exec(className ?? '')?.[1] }
}
