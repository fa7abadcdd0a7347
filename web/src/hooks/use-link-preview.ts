import { useQuery } from '@tanstack/react-query'
import { previewLink } from '@/api/auth'
import { keys } from '@/api/query-client'

export function useLinkPreview(token: string) {
  return useQuery({
    queryKey: keys.link(token),
    queryFn: ({ signal }) => previewLink(token, signal),
    enabled: token !== '',
    // A link can be spent in another window at any time.
    staleTime: 0,
    gcTime: 0,
  })
}
