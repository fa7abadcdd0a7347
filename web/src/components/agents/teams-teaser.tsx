import { ArrowRight, Users } from 'lucide-react'
import { Link } from 'wouter'

/** The way to whole teams, hired with the handoffs between their agents. */
export function TeamsTeaser() {
  return (
    <Link
      to="/agents/teams"
      className="group mb-8 flex items-center gap-4 rounded-lg border border-border bg-surface p-4 transition-shadow hover:shadow-md sm:p-5"
    >
      <span
        aria-hidden
        className="flex size-11 shrink-0 items-center justify-center rounded-xl bg-brand-subtle text-brand"
      >
        <Users className="size-5" />
      </span>
      <span className="min-w-0 grow">
        <span className="block font-semibold">Hire a team</span>
        <span className="mt-0.5 block text-sm text-muted">
          Agents that hand work to each other: pipelines, routers and swarms, ready to go.
        </span>
      </span>
      <ArrowRight aria-hidden className="size-4 shrink-0 text-muted transition-transform group-hover:translate-x-0.5" />
    </Link>
  )
}
