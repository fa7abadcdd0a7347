import { useQuery } from '@tanstack/react-query'
import { $api, client, unwrap } from '@/api/client'
import type { components } from '@/api/schema'
import type { NewTool, Tool, ToolList, ToolPreview } from '@/api/types'
import { useWorkspace } from './use-workspace'

/** The handoff tools that people of the workspace defined. */
export function useTools() {
  return useToolList(({ tools }) => tools.filter(isHandoff))
}

function isHandoff(tool: ToolList['tools'][number]): tool is Tool {
  return tool.type === 'handoff'
}

/** The tools that Baton has itself, whether they can run yet or not. */
export function useBuiltInTools() {
  return useToolList(({ built_in }) => built_in)
}

function useToolList<Part>(select: (list: ToolList) => Part) {
  const workspace = useWorkspace()
  return $api.useQuery('get', '/api/tools', { params: { query: { workspaceId: workspace.id } } }, { select })
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

type ToolChanges = components['schemas']['ToolChanges']

export function createTool(workspaceId: string, tool: NewTool): Promise<Tool> {
  return unwrap(client.POST('/api/tools', { body: { ...tool, workspaceId } })) as Promise<Tool>
}

export function changeTool(id: string, body: ToolChanges): Promise<Tool> {
  return unwrap(client.PATCH('/api/tools/{id}', { params: { path: { id } }, body })) as Promise<Tool>
}

export async function deleteTool(id: string): Promise<void> {
  await unwrap(client.DELETE('/api/tools/{id}', { params: { path: { id } } }))
}
