import { useQuery, useQueryClient } from '@tanstack/react-query'
import { fetchInvitations, fetchMembers } from '@/api/members'
import { keys } from '@/api/query-client'
import { useWorkspace } from './use-workspace'

export function useMembers() {
  const { id } = useWorkspace()
  return useQuery({ queryKey: keys.members(id), queryFn: ({ signal }) => fetchMembers(id, signal) })
}

/** Those that can still be accepted; only admins and owners may ask. */
export function useInvitations() {
  const { id } = useWorkspace()
  return useQuery({ queryKey: keys.invitations(id), queryFn: ({ signal }) => fetchInvitations(id, signal) })
}

export function useRefreshPeople(): () => Promise<unknown> {
  const { id } = useWorkspace()
  const queryClient = useQueryClient()
  return () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: keys.members(id) }),
      queryClient.invalidateQueries({ queryKey: keys.invitations(id) }),
    ])
}
