import { Link } from 'wouter'
import type { PublicWorkspace, Session } from '@/api/types'
import { Avatar } from '@/components/ui/avatar'
import { buttonClass } from '@/components/ui/button-class'
import { HOME_PATH } from '@/lib/paths'
import { initials } from '@/lib/text'

interface PublicBarProps {
  workspace: PublicWorkspace
  session: Session | null
  signInPath: string
}

/** Whose chat this is, and who one is here. */
export function PublicBar({ workspace, session, signInPath }: PublicBarProps) {
  const isMember = session?.workspaces.some(({ id }) => id === workspace.id) ?? false
  return (
    <header className="flex min-h-14 shrink-0 items-center gap-3 border-b border-border bg-surface px-4 pt-[env(safe-area-inset-top)] sm:px-6">
      <span
        aria-hidden
        className="flex size-8 shrink-0 items-center justify-center rounded-lg bg-primary text-xs font-semibold text-on-primary"
      >
        {initials(workspace.name)}
      </span>
      <p className="min-w-0 grow truncate font-semibold tracking-tight">{workspace.name}</p>
      {session === null ? (
        <Link to={signInPath} className={buttonClass('secondary', 'sm', 'shrink-0 pointer-coarse:h-10')}>
          Sign in
        </Link>
      ) : (
        <>
          {isMember && (
            <Link to={HOME_PATH} className={buttonClass('ghost', 'sm', 'shrink-0')}>
              Open workspace
            </Link>
          )}
          <span className="flex shrink-0 items-center gap-2 text-sm" title={session.profile.email}>
            <Avatar name={session.profile.name} />
            <span className="hidden max-w-40 truncate sm:inline">{session.profile.name}</span>
          </span>
        </>
      )}
    </header>
  )
}
