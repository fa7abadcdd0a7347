import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { words } from '@/words/en/common'
import { rich } from '@/words/rich'

/** A link within text. */
export function TextLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link
      to={to}
      className="rounded-sm font-medium text-foreground underline decoration-control underline-offset-4 hover:decoration-foreground"
    >
      {children}
    </Link>
  )
}

/** From a part of something to the whole of it. */
export function ViewAll({ to, of }: { to: string; of: keyof typeof words.viewAll }) {
  return (
    <Link to={to} className="rounded-md px-1 py-1 text-sm font-medium whitespace-nowrap text-muted hover:text-foreground">
      {rich(words.viewAll[of], { hidden: (more) => <span className="sr-only">{more}</span> })} <span aria-hidden>→</span>
    </Link>
  )
}

/** The way back to the list that a page belongs to. */
export function BackLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} className="inline-flex min-h-6 items-center gap-1.5 rounded-sm hover:text-foreground">
      <ArrowLeft aria-hidden className="size-3.5" />
      {children}
    </Link>
  )
}
