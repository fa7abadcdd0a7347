// One agent of a workspace: read, made and changed.
import { useQuery } from '@tanstack/react-query'
import { fetchAgent } from '@/api/agents'
import { client, unwrap } from '@/api/client'
import { keys } from '@/api/query-client'
import type { AgentFields, LocalAgent, NewAgent } from '@/api/types'
import { useFollowInto, useWorkspace } from './use-workspace'

export function useAgentDetail(id: string) {
  const workspace = useWorkspace()
  return useQuery({
    queryKey: keys.agent(workspace.id, id),
    queryFn: ({ signal }) => fetchAgent(workspace.id, id, signal),
  })
}

/**
 * For an agent that is not here: goes to where it works, if this person does too. `isFollowing` while that isn't known, and on the way.
 * `evenLetGo`: or worked, for what was said there.
 */
export function useFollowAgent(id: string, isMissing: boolean, { evenLetGo = false } = {}) {
  const { data, error, isLoading, errorUpdateCount } = useQuery({
    queryKey: keys.agentAnywhere(id),
    queryFn: ({ signal }) => fetchAgent(undefined, id, signal),
    enabled: isMissing,
  })
  const isThere = isMissing && (data?.isHired === true || evenLetGo)
  const isFollowing = useFollowInto(isThere ? data?.localAgent?.workspace_id : undefined)
  // What was refused once is asked again when the tab is looked at; that takes nothing off the screen.
  return { isFollowing: (isLoading && errorUpdateCount === 0) || isFollowing, error }
}

export function createAgent(workspaceId: string, agent: NewAgent): Promise<LocalAgent> {
  return unwrap(client.POST('/api/agents', { body: { ...agent, workspaceId } }))
}

export function changeAgent(workspaceId: string, id: string, body: AgentFields): Promise<LocalAgent> {
  return unwrap(client.PATCH('/api/agents/{id}', { params: { path: { id }, query: { workspaceId } }, body }))
}

/** Updates the agent to what the catalog has published. */
export function updateAgent(workspaceId: string, id: string): Promise<LocalAgent> {
  return unwrap(client.POST('/api/agents/{id}/update', { params: { path: { id }, query: { workspaceId } } }))
}

/** The address to set as an agent's `avatar_url`. */
export async function uploadImage(workspaceId: string, file: File): Promise<string> {
  const uploaded = await unwrap(
    client.POST('/api/files', {
      params: { query: { workspaceId } },
      // The schema can only say that a body of bytes is a string.
      body: file as unknown as string,
      bodySerializer: (body: unknown) => body as BodyInit,
      headers: { 'Content-Type': 'application/octet-stream' },
    }),
  )
  return uploaded.url
}
