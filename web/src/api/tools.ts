import type { components } from './schema'
import { client, unwrap } from './client'
import type { NewTool, Tool, ToolList } from './types'

type ToolChanges = components['schemas']['ToolChanges']

/** The tools that people of the workspace defined. */
/** Those that people defined, and those that Baton has itself. */
export function fetchTools(workspaceId: string, signal?: AbortSignal): Promise<ToolList> {
  return unwrap(client.GET('/api/tools', { params: { query: { workspaceId } }, signal }))
}

export function createTool(workspaceId: string, tool: NewTool): Promise<Tool> {
  return unwrap(client.POST('/api/tools', { body: { ...tool, workspaceId } }))
}

export function changeTool(id: string, body: ToolChanges): Promise<Tool> {
  return unwrap(client.PATCH('/api/tools/{id}', { params: { path: { id } }, body }))
}

export async function deleteTool(id: string): Promise<void> {
  await unwrap(client.DELETE('/api/tools/{id}', { params: { path: { id } } }))
}
