import type { components } from './schema'
import { client, unwrap } from './client'
import type { NewTeam, Team } from './types'

type TeamChanges = components['schemas']['TeamChanges']

export async function fetchTeams(workspaceId: string, signal?: AbortSignal): Promise<Team[]> {
  return (await unwrap(client.GET('/api/teams', { params: { query: { workspaceId } }, signal }))).teams
}

export function fetchTeam(id: string, signal?: AbortSignal): Promise<Team> {
  return unwrap(client.GET('/api/teams/{id}', { params: { path: { id } }, signal }))
}

export function createTeam(workspaceId: string, team: NewTeam): Promise<Team> {
  return unwrap(client.POST('/api/teams', { body: { ...team, workspaceId } }))
}

export function changeTeam(id: string, body: TeamChanges): Promise<Team> {
  return unwrap(client.PATCH('/api/teams/{id}', { params: { path: { id } }, body }))
}

export async function deleteTeam(id: string): Promise<void> {
  await unwrap(client.DELETE('/api/teams/{id}', { params: { path: { id } } }))
}
