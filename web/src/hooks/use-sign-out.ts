import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { signOut } from '@/api/auth'
import { messageOf } from '@/api/errors'
import { leaveSession } from '@/hooks/use-session'
import { notify } from '@/lib/toasts'

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
