import { $api, client, unwrap } from '@/api/client'
import type { components } from '@/api/schema'
import type { NewTeam, Team } from '@/api/types'
import { useWorkspace } from './use-workspace'

export function useTeams() {
  const workspace = useWorkspace()
  return $api.useQuery('get', '/api/teams', { params: { query: { workspaceId: workspace.id } } }, { select: ({ teams }) => teams })
}

export function useTeam(id: string | undefined) {
  return $api.useQuery('get', '/api/teams/{id}', { params: { path: { id: id ?? '' } } }, { enabled: id !== undefined })
}

export function usePacks() {
  const workspace = useWorkspace()
  return $api.useQuery('get', '/api/packs', { params: { query: { workspaceId: workspace.id } } }, { select: ({ packs }) => packs })
}

type TeamChanges = components['schemas']['TeamChanges']

export function createTeam(workspaceId: string, team: NewTeam): Promise<Team> {
  return unwrap(client.POST('/api/teams', { body: { ...team, workspaceId } }))
}

export function changeTeam(id: string, body: TeamChanges): Promise<Team> {
  return unwrap(client.PATCH('/api/teams/{id}', { params: { path: { id } }, body }))
}

export async function deleteTeam(id: string): Promise<void> {
  await unwrap(client.DELETE('/api/teams/{id}', { params: { path: { id } } }))
}

export function hirePackTeam(workspaceId: string, pack: string, team: string): Promise<Team> {
  const params = { path: { name: pack, slug: team } }
  return unwrap(client.POST('/api/packs/{name}/teams/{slug}/hire', { params, body: { workspaceId } }))
}
