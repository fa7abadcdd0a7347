import { MessageCircleOff } from 'lucide-react'
import { Link } from 'wouter'
import type { PublicWorkspace, Session } from '@/api/types'
import { buttonClass } from '@/components/ui/button-class'
import { EmptyState } from '@/components/ui/empty-state'
import { usePageTitle } from '@/hooks/use-page-title'
import { withReturnPath } from '@/lib/return-path'
import { PublicBar } from './public-bar'

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
          title="Nobody is here to talk to"
          action={
            session === null ? (
              <Link to={signInPath} className={buttonClass()}>
                Sign in
              </Link>
            ) : undefined
          }
        >
          {session === null
            ? 'The agents of this workspace are for people who are signed in.'
            : 'This workspace has no agent for you at the moment. Please come back later.'}
        </EmptyState>
      </main>
    </div>
  )
}
