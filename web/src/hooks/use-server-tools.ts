// The tools of MCP servers: what they have now, and what of it is allowed. For admins and owners.
import { type QueryClient, queryOptions, useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { client, unwrap } from '@/api/client'
import { messageOf } from '@/api/errors'
import { keys } from '@/api/query-client'
import type { ServerTool, ServerToolList } from '@/api/types'
import { notify } from '@/lib/toasts'
import { useWorkspace } from './use-workspace'

function ofServer(workspaceId: string, serverId: string) {
  return queryOptions({
    queryKey: keys.serverTools(workspaceId, serverId),
    queryFn: ({ signal }) => fetchServerTools(serverId, { refresh: false, signal }),
  })
}

export function useServerTools(serverId: string) {
  const workspace = useWorkspace()
  return useQuery(ofServer(workspace.id, serverId))
}

/** Of several servers, by their ids. What isn't known yet, or can't be, is left out. */
export function useToolsOfServers(serverIds: readonly string[]): ReadonlyMap<string, ServerToolList> {
  const workspace = useWorkspace()
  return useQueries({
    queries: serverIds.map((id) => ofServer(workspace.id, id)),
    combine: (results) => new Map(results.flatMap(({ data }, index) => (data === undefined ? [] : [[serverIds[index] ?? '', data] as const]))),
  })
}

/** What an admin does with the tools of a server. What comes back is the list as it is then. */
export function useServerToolChanges(serverId: string) {
  const workspace = useWorkspace()
  const queryClient = useQueryClient()
  const settled = {
    onSuccess: (list: ServerToolList) => {
      keep(queryClient, workspace.id, serverId, list)
    },
    onError: (error: Error) => {
      notify(messageOf(error), 'error')
      // Perhaps it is another definition by now.
      void queryClient.invalidateQueries({ queryKey: keys.serverTools(workspace.id, serverId) })
    },
  }
  const refresh = useMutation({ mutationFn: () => fetchServerTools(serverId, { refresh: true }), ...settled })
  const allow = useMutation({ mutationFn: (tools: readonly ServerTool[]) => allowTools(serverId, tools), ...settled })
  const holdBack = useMutation({ mutationFn: (tools: readonly ServerTool[]) => holdBackTools(serverId, tools), ...settled })
  return { refresh, allow, holdBack }
}

function keep(queryClient: QueryClient, workspaceId: string, serverId: string, list: ServerToolList): void {
  queryClient.setQueryData(keys.serverTools(workspaceId, serverId), list)
}

function fetchServerTools(id: string, { refresh, signal }: { refresh: boolean; signal?: AbortSignal }): Promise<ServerToolList> {
  const params = { path: { id }, query: { refresh } }
  return unwrap(client.GET('/api/tools/{id}/server-tools', { params, signal }))
}

/** As they were shown: the server refuses one that is another by now. */
function allowTools(id: string, tools: readonly ServerTool[]): Promise<ServerToolList> {
  const body = { tools: tools.map(({ raw_name, hash }) => ({ raw_name, hash })) }
  return unwrap(client.POST('/api/tools/{id}/server-tools/allow', { params: { path: { id } }, body }))
}

function holdBackTools(id: string, tools: readonly ServerTool[]): Promise<ServerToolList> {
  const body = { raw_names: tools.map(({ raw_name }) => raw_name) }
  return unwrap(client.POST('/api/tools/{id}/server-tools/hold-back', { params: { path: { id } }, body }))
}
