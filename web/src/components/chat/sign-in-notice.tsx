import { Lock } from 'lucide-react'
import { Link } from 'wouter'
import { buttonClass } from '@/components/ui/button'
import { SIGN_IN_NEEDED } from './chat-agent'

/** A visitor wanted, or was to be handed to, an agent that only people with an account may use. */
export function SignInNotice({ path }: { path: string }) {
  return (
    <section
      aria-label="Sign in"
      className="flex flex-wrap items-center gap-2 rounded-lg border border-border bg-surface py-2 pr-2 pl-3 text-sm"
    >
      <Lock aria-hidden className="size-4 shrink-0 text-muted" />
      <p className="min-w-0 grow">{SIGN_IN_NEEDED}</p>
      <Link to={path} className={buttonClass('primary', 'sm')}>
        Sign in
      </Link>
    </section>
  )
}
