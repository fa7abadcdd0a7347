// One agent of a workspace: made and changed, and what it can be made of.
import { client, unwrap } from './client'
import type { AgentFields, LocalAgent, Models, NewAgent } from './types'

export function createAgent(workspaceId: string, agent: NewAgent): Promise<LocalAgent> {
  return unwrap(client.POST('/api/agents', { body: { ...agent, workspaceId } }))
}

export function changeAgent(workspaceId: string, id: string, body: AgentFields): Promise<LocalAgent> {
  return unwrap(client.PATCH('/api/agents/{id}', { params: { path: { id }, query: { workspaceId } }, body }))
}

/** Takes over what the catalog has published. */
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

export function fetchModels(signal?: AbortSignal): Promise<Models> {
  return unwrap(client.GET('/api/models', { signal }))
}
