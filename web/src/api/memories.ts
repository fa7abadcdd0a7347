import { client, unwrap } from './client'
import type { Memory, MemoryPage, MemoryScope } from './types'

interface MemoryFilters {
  search?: string
  scope?: MemoryScope
  limit?: number
  offset?: number
}

export function fetchMemories(agentId: string, filters: MemoryFilters, signal?: AbortSignal): Promise<MemoryPage> {
  const params = { path: { id: agentId }, query: filters }
  return unwrap(client.GET('/api/agents/{id}/memories', { params, signal }))
}

interface MemoryText {
  path: string
  content: string
}

export function createMemory(agentId: string, body: MemoryText & { scope: MemoryScope }): Promise<Memory> {
  return unwrap(client.POST('/api/agents/{id}/memories', { params: { path: { id: agentId } }, body }))
}

export function changeMemory(agentId: string, memoryId: string, body: MemoryText): Promise<Memory> {
  const params = { path: { id: agentId, memoryId } }
  return unwrap(client.PATCH('/api/agents/{id}/memories/{memoryId}', { params, body }))
}

export async function deleteMemory(agentId: string, memoryId: string): Promise<void> {
  const params = { path: { id: agentId, memoryId } }
  await unwrap(client.DELETE('/api/agents/{id}/memories/{memoryId}', { params }))
}
