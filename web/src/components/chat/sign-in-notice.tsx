import { Lock } from 'lucide-react'
import { Link } from 'wouter'
import { buttonClass } from '@/components/ui/button'
import { words } from '@/words/en/chat'
import { words as common } from '@/words/en/common'

/** A visitor wanted, or was to be handed to, an agent that only people with an account may use. */
export function SignInNotice({ path }: { path: string }) {
  return (
    <section
      aria-label={common.signIn}
      className="flex flex-wrap items-center gap-2 rounded-lg border border-border bg-surface py-2 pr-2 pl-3 text-sm"
    >
      <Lock aria-hidden className="size-4 shrink-0 text-muted" />
      <p className="min-w-0 grow">{words.signInNeeded}</p>
      <Link to={path} className={buttonClass('primary', 'sm')}>
        {common.signIn}
      </Link>
    </section>
  )
}
