import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'

/** The way back to the list that a page belongs to. */
export function BackLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} className="inline-flex min-h-6 items-center gap-1.5 rounded-sm hover:text-foreground">
      <ArrowLeft aria-hidden className="size-3.5" />
      {children}
    </Link>
  )
}
