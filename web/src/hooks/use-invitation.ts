import { useQuery } from '@tanstack/react-query'
import { fetchInvitation } from '@/api/invitations'
import { keys } from '@/api/query-client'

export function useInvitation(token: string | null) {
  return useQuery({
    queryKey: keys.invitation(token ?? ''),
    queryFn: ({ signal }) => fetchInvitation(token ?? '', signal),
    enabled: token !== null && token !== '',
  })
}
