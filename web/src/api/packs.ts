import { client, unwrap } from './client'
import type { Pack, Team } from './types'

export async function fetchPacks(workspaceId: string, signal?: AbortSignal): Promise<Pack[]> {
  return (await unwrap(client.GET('/api/packs', { params: { query: { workspaceId } }, signal }))).packs
}

export function hirePackTeam(workspaceId: string, pack: string, team: string): Promise<Team> {
  const params = { path: { name: pack, slug: team } }
  return unwrap(client.POST('/api/packs/{name}/teams/{slug}/hire', { params, body: { workspaceId } }))
}
