import { DoorOpen } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { usePageTitle } from '@/hooks/use-page-title'
import { useSession } from '@/hooks/use-session'
import { useSignOut } from '@/hooks/use-sign-out'

const NewWorkspaceDialog = lazy(() => import('../settings/new-workspace-dialog'))

/** Lets people through who are in a workspace, and tells the others how to get into one. */
export function WorkspaceGate({ children }: { children: ReactNode }) {
  const { workspaces } = useSession()
  return workspaces.length > 0 ? children : <NoWorkspace />
}

function NoWorkspace() {
  const { profile, may_make_workspaces } = useSession()
  const signOut = useSignOut()
  const [opener, setOpener] = useState<HTMLElement | null>(null)
  usePageTitle('No workspace')
  return (
    <main className="flex min-h-dvh items-center">
      <EmptyState
        icon={<DoorOpen className="size-6" />}
        heading="h1"
        title="You are not in a workspace"
        action={
          <div className="flex flex-wrap justify-center gap-2">
            {may_make_workspaces && (
              <Button
                onClick={(event) => {
                  setOpener(event.currentTarget)
                }}
              >
                Create a workspace
              </Button>
            )}
            <Button
              variant="secondary"
              pending={signOut.isPending}
              onClick={() => {
                signOut.mutate()
              }}
            >
              Sign out
            </Button>
          </div>
        }
      >
        {may_make_workspaces && 'Create one of your own. '}
        {may_make_workspaces ? 'Or ask' : 'Ask'} someone who runs one to invite {profile.email}, then open the link in the
        invitation.
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
