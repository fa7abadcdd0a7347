import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, useCallback, useContext } from 'react'
import { useLocation } from 'wouter'
import { client, unwrap } from '@/api/client'
import { messageOf } from '@/api/errors'
import { endSession, forgetPerson, keys } from '@/api/query-client'
import type { AuthOptions, Session } from '@/api/types'
import { claimUnsent, forgetUnsent } from '@/chat/drafts'
import { notify } from '@/lib/toasts'

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
  forgetPerson(queryClient)
  queryClient.setQueryData(keys.session, session)
  claimUnsent(session.profile.id)
}

/** The person leaves. One whose session only ran out finds what they were writing when they are back. */
export function leaveSession(queryClient: QueryClient): void {
  forgetUnsent()
  endSession(queryClient)
}

/** Signs out and goes to `path`. */
export function useSignOut(path = '/sign-in') {
  const queryClient = useQueryClient()
  const [, navigate] = useLocation()
  return useMutation({
    mutationFn: signOut,
    onSuccess: () => {
      leaveSession(queryClient)
      navigate(path)
    },
    onError: (error) => {
      notify(messageOf(error), 'error')
    },
  })
}

/** How this server lets people in, and whether it is a demo. */
export function useAuthOptions() {
  return useQuery({
    queryKey: keys.options,
    queryFn: ({ signal }) => fetchAuthOptions(signal),
    staleTime: 10 * 60_000,
  })
}

export function fetchAuthOptions(signal?: AbortSignal): Promise<AuthOptions> {
  return unwrap(client.GET('/api/auth/options', { signal }))
}

/** Who is signed in, or null. */
export async function fetchSession(signal?: AbortSignal): Promise<Session | null> {
  return (await unwrap(client.GET('/api/auth/session', { signal }))).session
}

export async function signOut(): Promise<void> {
  await unwrap(client.POST('/api/auth/sign-out'))
}
