// Whether an agent may use a tool that people defined without asking: always, ask or never, as an admin decides.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { client, unwrap } from '@/api/client'
import { messageOf } from '@/api/errors'
import { keys } from '@/api/query-client'
import type { ToolPermission } from '@/api/types'
import { notify } from '@/lib/toasts'
import { useWorkspace } from './use-workspace'

export type Level = ToolPermission['level']

/** Which tool is decided about: a server's are told apart by the names it gives them. */
export type DecidedTool = Pick<ToolPermission, 'tool_id' | 'raw_name'>

export function useToolPermissions(agentId: string) {
  const workspace = useWorkspace()
  const queryClient = useQueryClient()
  const queryKey = [...keys.agent(workspace.id, agentId), 'tool-permissions']
  const query = useQuery({ queryKey, queryFn: ({ signal }) => fetchPermissions(agentId, signal) })
  const decide = useMutation({
    mutationFn: ({ tool, level }: { tool: DecidedTool; level: Level | null }) =>
      level === null ? takeBack(agentId, tool) : decideOn(agentId, tool, level),
    onError: (error: Error) => {
      notify(messageOf(error), 'error')
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  })
  return { query, decide }
}

async function fetchPermissions(agentId: string, signal: AbortSignal): Promise<ToolPermission[]> {
  const { permissions } = await unwrap(client.GET('/api/agents/{id}/tool-permissions', { params: { path: { id: agentId } }, signal }))
  return permissions
}

async function decideOn(agentId: string, { tool_id, raw_name }: DecidedTool, level: Level): Promise<void> {
  await unwrap(client.PUT('/api/agents/{id}/tool-permissions', { params: { path: { id: agentId } }, body: { tool_id, raw_name, level } }))
}

async function takeBack(agentId: string, { tool_id, raw_name }: DecidedTool): Promise<void> {
  const query = { toolId: tool_id, ...(raw_name !== null && { rawName: raw_name }) }
  await unwrap(client.DELETE('/api/agents/{id}/tool-permissions', { params: { path: { id: agentId }, query } }))
}
