import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, useCallback, useContext } from 'react'
import { useLocation } from 'wouter'
import { fetchSession } from '@/api/auth'
import { endSession, keys } from '@/api/query-client'
import type { Session } from '@/api/types'
import { claimUnsent, forgetUnsent } from '@/chat/drafts'

/** Filled by <SessionGate>. */
export const SessionContext = createContext<Session | null>(null)

/** For pages that both strangers and signed-in people see: the data is null without a session. */
export function useSessionQuery() {
  return useQuery({
    queryKey: keys.session,
    queryFn: async ({ signal }) => {
      const session = await fetchSession(signal)
      // Another tab may have signed in someone else.
      if (session !== null) claimUnsent(session.profile.id)
      return session
    },
    staleTime: 5 * 60_000,
  })
}

/** Who is signed in. Only for pages inside <SessionGate>. */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (session === null) throw new Error('useSession is only for pages inside <SessionGate>')
  return session
}

/** Lets a person in who has just proved who they are, and takes them to `path`. */
export function useEnter(): (session: Session, path: string) => void {
  const queryClient = useQueryClient()
  const [, navigate] = useLocation()
  return useCallback(
    (session, path) => {
      beginSession(queryClient, session)
      navigate(path, { replace: true })
    },
    [queryClient, navigate],
  )
}

/** Stores who is now signed in and forgets what an earlier person saw. */
export function beginSession(queryClient: QueryClient, session: Session): void {
  queryClient.removeQueries({ queryKey: keys.workspaces })
  queryClient.removeQueries({ queryKey: keys.tokens })
  queryClient.setQueryData(keys.session, session)
  claimUnsent(session.profile.id)
}

/** The person leaves. One whose session only ran out finds what they were writing when they are back. */
export function leaveSession(queryClient: QueryClient): void {
  forgetUnsent()
  endSession(queryClient)
}
