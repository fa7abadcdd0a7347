import { useQuery } from '@tanstack/react-query'
import { client, unwrap } from '@/api/client'
import { keys } from '@/api/query-client'
import type { PublicWorkspace } from '@/api/types'

/** A workspace as it is at its public address, for whoever looks. */
export function usePublicWorkspace(slug: string) {
  return useQuery({
    queryKey: keys.publicWorkspace(slug),
    queryFn: ({ signal }) => fetchPublicWorkspace(slug, signal),
    staleTime: 5 * 60_000,
  })
}

/** Whoever isn't signed in becomes a visitor by asking: the answer sets their cookie. */
function fetchPublicWorkspace(slug: string, signal?: AbortSignal): Promise<PublicWorkspace> {
  return unwrap(client.GET('/api/public/{workspaceSlug}', { params: { path: { workspaceSlug: slug } }, signal }))
}
