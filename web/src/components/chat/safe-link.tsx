import type { ReactNode } from 'react'
import { safeUrl } from './safe-url'

/** A link that an agent wrote. Where it may not lead, only its words are left. */
export function SafeLink({ href, children }: { href: string | undefined; children: ReactNode }) {
  const url = safeUrl(href)
  if (url === undefined) return <span>{children}</span>
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className="rounded-sm font-medium text-brand underline decoration-brand/40 underline-offset-3 hover:decoration-brand"
    >
      {children}
    </a>
  )
}
