import { $api, client, unwrap } from '@/api/client'
import type { components } from '@/api/schema'
import type { NewTool, Tool, ToolList } from '@/api/types'
import { useWorkspace } from './use-workspace'

/** The tools that people of the workspace defined. */
export function useTools() {
  return useToolList(({ tools }) => tools)
}

/** The tools that Baton has itself, whether they can run yet or not. */
export function useBuiltInTools() {
  return useToolList(({ built_in }) => built_in)
}

function useToolList<Part>(select: (list: ToolList) => Part) {
  const workspace = useWorkspace()
  return $api.useQuery('get', '/api/tools', { params: { query: { workspaceId: workspace.id } } }, { select })
}

type ToolChanges = components['schemas']['ToolChanges']

export function createTool(workspaceId: string, tool: NewTool): Promise<Tool> {
  return unwrap(client.POST('/api/tools', { body: { ...tool, workspaceId } }))
}

export function changeTool(id: string, body: ToolChanges): Promise<Tool> {
  return unwrap(client.PATCH('/api/tools/{id}', { params: { path: { id } }, body }))
}

export async function deleteTool(id: string): Promise<void> {
  await unwrap(client.DELETE('/api/tools/{id}', { params: { path: { id } } }))
}
