import { DoorOpen } from 'lucide-react'
import type { ReactNode } from 'react'
import { useSession } from '@/hooks/use-session'
import { useSignOut } from '@/hooks/use-sign-out'
import { usePageTitle } from '@/hooks/use-page-title'
import { EmptyState } from '../empty-state'
import { Button } from '../ui/button'

/** Lets people through who are in a workspace, and tells the others how to get into one. */
export function WorkspaceGate({ children }: { children: ReactNode }) {
  const { workspaces } = useSession()
  return workspaces.length > 0 ? children : <NoWorkspace />
}

function NoWorkspace() {
  const { profile } = useSession()
  const signOut = useSignOut()
  usePageTitle('No workspace')
  return (
    <main className="flex min-h-dvh items-center">
      <EmptyState
        icon={<DoorOpen className="size-6" />}
        heading="h1"
        title="You are not in a workspace"
        action={
          <Button
            variant="secondary"
            pending={signOut.isPending}
            onClick={() => {
              signOut.mutate()
            }}
          >
            Sign out
          </Button>
        }
      >
        Ask someone who runs one to invite {profile.email}, then open the link in the invitation.
      </EmptyState>
    </main>
  )
}
