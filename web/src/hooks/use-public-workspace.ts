import { useQuery } from '@tanstack/react-query'
import { fetchPublicWorkspace } from '@/api/public'
import { keys } from '@/api/query-client'

/** A workspace as it is at its public address, for whoever looks. */
export function usePublicWorkspace(slug: string) {
  return useQuery({
    queryKey: keys.publicWorkspace(slug),
    queryFn: ({ signal }) => fetchPublicWorkspace(slug, signal),
    staleTime: 5 * 60_000,
  })
}
