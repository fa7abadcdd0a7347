import { Link } from 'wouter'

/** From a part of something to the whole of it. */
export function ViewAll({ to, of }: { to: string; of: string }) {
  return (
    <Link to={to} className="rounded-md px-1 py-1 text-sm font-medium whitespace-nowrap text-muted hover:text-foreground">
      View all<span className="sr-only"> {of}</span> <span aria-hidden>→</span>
    </Link>
  )
}
