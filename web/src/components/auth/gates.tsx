import { DoorOpen } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Redirect } from 'wouter'
import { Splash } from '@/components/layout/brand'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { ErrorState } from '@/components/ui/error-state'
import { usePageTitle } from '@/hooks/use-browser'
import { SessionContext, useSession, useSessionQuery, useSignOut } from '@/hooks/use-session'
import { withReturnPath } from '@/lib/paths'
import { words } from '@/words/en/gates'
import { say } from '@/words/say'

/** Lets signed-in people through; sends everyone else to sign in, and back here afterwards. */
export function SessionGate({ children }: { children: ReactNode }) {
  const { data: session, isPending, error, refetch, isFetching } = useSessionQuery()

  if (isPending) return <Splash />
  if (session === undefined) {
    return (
      <main className="flex min-h-dvh items-center">
        <ErrorState
          title={words.batonCouldNotBeLoaded}
          error={error}
          onRetry={() => void refetch()}
          retrying={isFetching}
        />
      </main>
    )
  }
  if (session === null) {
    const { pathname, search, hash } = window.location
    return <Redirect to={withReturnPath('/sign-in', pathname + search + hash)} replace />
  }
  return <SessionContext value={session}>{children}</SessionContext>
}

const NewWorkspaceDialog = lazy(() => import('@/components/settings/new-workspace-dialog'))

/** Lets people through who are in a workspace, and tells the others how to get into one. */
export function WorkspaceGate({ children }: { children: ReactNode }) {
  const { workspaces } = useSession()
  return workspaces.length > 0 ? children : <NoWorkspace />
}

function NoWorkspace() {
  const { profile, may_make_workspaces } = useSession()
  const signOut = useSignOut()
  const [opener, setOpener] = useState<HTMLElement | null>(null)
  usePageTitle(words.noWorkspace)
  return (
    <main className="flex min-h-dvh items-center">
      <EmptyState
        icon={<DoorOpen className="size-6" />}
        heading="h1"
        title={words.youAreNotInA}
        action={
          <div className="flex flex-wrap justify-center gap-2">
            {may_make_workspaces && (
              <Button
                onClick={(event) => {
                  setOpener(event.currentTarget)
                }}
              >
                {words.createAWorkspace}
              </Button>
            )}
            <Button
              variant="secondary"
              pending={signOut.isPending}
              onClick={() => {
                signOut.mutate()
              }}
            >
              {words.signOut}
            </Button>
          </div>
        }
      >
        {say(may_make_workspaces ? words.createOneOrAsk : words.askForAnInvitation, { email: profile.email })}
      </EmptyState>
      {opener !== null && (
        <Suspense>
          <NewWorkspaceDialog
            opener={opener}
            onClose={() => {
              setOpener(null)
            }}
          />
        </Suspense>
      )}
    </main>
  )
}
