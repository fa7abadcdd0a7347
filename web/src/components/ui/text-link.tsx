import type { ReactNode } from 'react'
import { Link } from 'wouter'

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
