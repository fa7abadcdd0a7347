import { MessageCircleOff } from 'lucide-react'
import { Link } from 'wouter'
import type { PublicWorkspace, Session } from '@/api/types'
import { Avatar } from '@/components/ui/avatar'
import { buttonClass } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { usePageTitle } from '@/hooks/use-browser'
import { HOME_PATH, withReturnPath } from '@/lib/paths'
import { initials } from '@/lib/text'
import { words as common } from '@/words/en/common'
import { words } from '@/words/en/public'

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
      <p dir="auto" className="min-w-0 grow truncate font-semibold tracking-tight">{workspace.name}</p>
      {session === null ? (
        <Link to={signInPath} className={buttonClass('secondary', 'sm', 'shrink-0 pointer-coarse:h-10')}>
          {common.signIn}
        </Link>
      ) : (
        <>
          {isMember && (
            <Link to={HOME_PATH} className={buttonClass('ghost', 'sm', 'shrink-0')}>
              {words.openWorkspace}
            </Link>
          )}
          <span className="flex shrink-0 items-center gap-2 text-sm" title={session.profile.email}>
            <Avatar name={session.profile.name} />
            <span dir="auto" className="hidden max-w-40 truncate sm:inline">{session.profile.name}</span>
          </span>
        </>
      )}
    </header>
  )
}

/** The address is open, but no agent is there for this person. */
export function NobodyHere({ workspace, session }: { workspace: PublicWorkspace; session: Session | null }) {
  const signInPath = withReturnPath('/sign-in', `/w/${workspace.slug}`)
  usePageTitle(workspace.name)
  return (
    <div className="flex min-h-dvh flex-col">
      <PublicBar workspace={workspace} session={session} signInPath={signInPath} />
      <main className="flex grow items-center">
        <EmptyState
          icon={<MessageCircleOff className="size-6" />}
          heading="h1"
          title={words.nobodyIsHereToTalk}
          action={
            session === null ? (
              <Link to={signInPath} className={buttonClass()}>
                {common.signIn}
              </Link>
            ) : undefined
          }
        >
          {session === null
            ? words.theAgentsOfThisWorkspace
            : words.thisWorkspaceHasNoAgent}
        </EmptyState>
      </main>
    </div>
  )
}
