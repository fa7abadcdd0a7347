import type { ReactNode } from 'react'
import { Redirect } from 'wouter'
import { Splash } from '@/components/layout/splash'
import { ErrorState } from '@/components/ui/error-state'
import { SessionContext, useSessionQuery } from '@/hooks/use-session'
import { withReturnPath } from '@/lib/return-path'

/** Lets signed-in people through; sends everyone else to sign in, and back here afterwards. */
export function SessionGate({ children }: { children: ReactNode }) {
  const { data: session, isPending, error, refetch, isFetching } = useSessionQuery()

  if (isPending) return <Splash />
  if (session === undefined) {
    return (
      <main className="flex min-h-dvh items-center">
        <ErrorState
          title="Baton could not be loaded"
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
