import { client, unwrap } from './client'
import type { PublicWorkspace } from './types'

/** Whoever isn't signed in becomes a visitor by asking: the answer sets their cookie. */
export function fetchPublicWorkspace(slug: string, signal?: AbortSignal): Promise<PublicWorkspace> {
  return unwrap(client.GET('/api/public/{workspaceSlug}', { params: { path: { workspaceSlug: slug } }, signal }))
}
