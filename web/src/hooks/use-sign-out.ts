import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { signOut } from '@/api/auth'
import { messageOf } from '@/api/errors'
import { leaveSession } from '@/api/query-client'
import { notify } from '@/lib/notices'

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
