import { useQuery } from '@tanstack/react-query'
import { $api, client, unwrap } from '@/api/client'
import type { components } from '@/api/schema'
import type { HandoffTool, NewTool, OpenApiTools, Tool, ToolList, ToolPreview, ToolTestOutcome } from '@/api/types'
import { useWorkspace } from './use-workspace'

/** The tools that people of the workspace defined, of all types. */
export function useTools() {
  return useToolList(({ tools }) => tools as Tool[])
}

export function isHandoff(tool: Tool): tool is HandoffTool {
  return tool.type === 'handoff'
}

/** The tools that Baton has itself, whether they can run yet or not. */
export function useBuiltInTools() {
  return useToolList(({ built_in }) => built_in)
}

/** MCP servers that the configuration file of Baton offers to the workspace. */
export function useConfiguredServers() {
  return useToolList(({ configured_servers }) => configured_servers)
}

function useToolList<Part>(select: (list: ToolList) => Part) {
  const workspace = useWorkspace()
  return $api.useQuery('get', '/api/tools', { params: { query: { workspaceId: workspace.id } } }, { select })
}

/** What one of Baton's own tools takes. Nothing is asked until one is named. */
export function useBuiltInTool(name: string) {
  return $api.useQuery('get', '/api/tools/built-in/{name}', { params: { path: { name } } }, { enabled: name !== '', staleTime: Infinity })
}

interface Previewed {
  /** Nothing for a new one. */
  id: string | undefined
  /** Nothing while it can't be saved yet. */
  draft: NewTool | undefined
  /** Whoever may not change a tool is shown what is saved. */
  isSaved: boolean
}

/** What models are sent of a tool, as the server renders it. A draft is checked by the server as if it were saved. */
export function useToolPreview({ id, draft, isSaved }: Previewed) {
  const workspace = useWorkspace()
  return useQuery({
    queryKey: ['workspace', workspace.id, 'tool-preview', id, isSaved, draft],
    queryFn: ({ signal }): Promise<ToolPreview> => {
      const body = draft as NewTool
      if (id === undefined) return unwrap(client.POST('/api/tools/preview', { body: { ...body, workspaceId: workspace.id }, signal }))
      const params = { path: { id } }
      if (isSaved) return unwrap(client.GET('/api/tools/{id}/preview', { params, signal }))
      return unwrap(client.POST('/api/tools/{id}/preview', { params, body, signal }))
    },
    enabled: draft !== undefined,
    // Nobody comes back to a draft.
    gcTime: 0,
  })
}

export type ToolChanges = components['schemas']['ToolChanges']

export function createTool(workspaceId: string, tool: NewTool): Promise<Tool> {
  return unwrap(client.POST('/api/tools', { body: { ...tool, workspaceId } })) as Promise<Tool>
}

export function changeTool(id: string, body: ToolChanges): Promise<Tool> {
  return unwrap(client.PATCH('/api/tools/{id}', { params: { path: { id } }, body })) as Promise<Tool>
}

export async function deleteTool(id: string): Promise<void> {
  await unwrap(client.DELETE('/api/tools/{id}', { params: { path: { id } } }))
}

/** Really runs it. `rawName`: which one of a server's. */
export function testTool(id: string, args: Record<string, unknown>, rawName?: string): Promise<ToolTestOutcome> {
  const body = { arguments: args as Record<string, never>, ...(rawName !== undefined && { rawName }) }
  return unwrap(client.POST('/api/tools/{id}/test', { params: { path: { id } }, body }))
}

/** What tools an OpenAPI document offers. Nothing is stored. */
export function readOpenApi(workspaceId: string, from: { document: string } | { url: string }): Promise<OpenApiTools> {
  return unwrap(client.POST('/api/tools/openapi', { body: { workspaceId, ...from } }))
}
