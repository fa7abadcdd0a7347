// Server state: one cache for the app, its keys, and what a lost session does to it.
import { MutationCache, notifyManager, QueryCache, QueryClient, type QueryKey } from '@tanstack/react-query'
import { ApiError } from './errors'
import type { AgentFilters } from './agents'

export const keys = {
  options: ['auth', 'options'] as const,
  session: ['auth', 'session'] as const,
  tokens: ['get', '/api/auth/tokens'] as const,
  link: (token: string) => ['auth', 'link', token] as const,
  invitation: (token: string) => ['auth', 'invitation', token] as const,
  /** What `$api` reads begins like this. */
  read: ['get'] as const,
  /** Everything else that belongs to a workspace begins like this. Both are dropped when the person changes. */
  workspaces: ['workspace'] as const,
  workspace: (workspaceId: string) => ['get', '/api/workspaces/{id}', { params: { path: { id: workspaceId } } }] as const,
  members: (workspaceId: string) => ['get', '/api/workspaces/{id}/members', { params: { path: { id: workspaceId } } }] as const,
  invitations: (workspaceId: string) => ['get', '/api/workspaces/{id}/invitations', { params: { path: { id: workspaceId } } }] as const,
  /** Rows of all kinds, their changes, reports over them, and files that come in. */
  data: (workspaceId: string) => ['workspace', workspaceId, 'data'] as const,
  audit: (workspaceId: string) => ['workspace', workspaceId, 'audit'] as const,
  /** A workspace at its public address. What it shows depends on who looks. */
  publicWorkspace: (slug: string) => ['workspace', 'public', slug] as const,
  /** Of the whole server, for its admins. */
  catalog: ['workspace', 'administration', 'catalog'] as const,
  profiles: ['workspace', 'administration', 'profiles'] as const,
  agents: (workspaceId: string) => ['workspace', workspaceId, 'agents'] as const,
  agentList: (workspaceId: string, filters: AgentFilters) => ['workspace', workspaceId, 'agents', filters] as const,
  agentStats: (workspaceId: string) => ['get', '/api/agents/stats', { params: { query: { workspaceId } } }] as const,
  agent: (workspaceId: string, id: string) => ['workspace', workspaceId, 'agents', 'one', id] as const,
  /** Whichever workspace it works in. */
  agentAnywhere: (id: string) => ['workspace', 'any', 'agents', id] as const,
  /** `of`: an agent's or a team's id, or `all`. */
  conversations: (workspaceId: string, of: string) => ['workspace', workspaceId, 'conversations', of] as const,
  /** A plain list, apart from the lists that come page by page. */
  latestConversations: (workspaceId: string) => ['workspace', workspaceId, 'latest-conversations'] as const,
  conversation: (workspaceId: string, id: string) => ['workspace', workspaceId, 'conversation', id] as const,
  approvals: (workspaceId: string) => ['workspace', workspaceId, 'approvals'] as const,
  pendingApprovals: (workspaceId: string) => ['workspace', workspaceId, 'approvals', 'pending'] as const,
  teams: (workspaceId: string) => ['get', '/api/teams', { params: { query: { workspaceId } } }] as const,
  team: (id: string) => ['get', '/api/teams/{id}', { params: { path: { id } } }] as const,
  packs: (workspaceId: string) => ['get', '/api/packs', { params: { query: { workspaceId } } }] as const,
  tools: (workspaceId: string) => ['get', '/api/tools', { params: { query: { workspaceId } } }] as const,
  /** Of every workspace that was looked at. */
  allTools: ['get', '/api/tools'] as const,
  /** What a server has, and what of it is allowed. */
  serverTools: (workspaceId: string, serverId: string) => ['workspace', workspaceId, 'server-tools', serverId] as const,
  models: ['get', '/api/models'] as const,
  providers: ['get', '/api/providers'] as const,
  searchEngine: ['get', '/api/search-engine'] as const,
  skills: (workspaceId: string) => ['get', '/api/skills', { params: { query: { workspaceId } } }] as const,
  rules: (workspaceId: string) => ['get', '/api/rules', { params: { query: { workspaceId } } }] as const,
  memories: (workspaceId: string, agentId: string) => ['workspace', workspaceId, 'memories', agentId] as const,
  /** Channels, what is written in them, and mentions. */
  channels: (workspaceId: string) => ['workspace', workspaceId, 'channels'] as const,
  pages: (workspaceId: string) => ['workspace', workspaceId, 'pages'] as const,
  usage: ['get', '/api/agents/usage'] as const,
  transitions: ['get', '/api/agents/transitions'] as const,
  tasks: ['get', '/api/tasks/{id}'] as const,
}

// A button must know that it is busy before the second click of a double click reaches it: by a timer, as otherwise, it
// learns it too late, and the request goes out twice. In tests, news of a query comes within the `act` that fetched it.
notifyManager.setScheduler(queueMicrotask)

export function createQueryClient(): QueryClient {
  const onError = (error: Error) => {
    if (isSessionLost(error)) endSession(queryClient)
  }
  const queryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        retry: (failures, error) => failures < 2 && isWorthRetrying(error),
      },
    },
  })
  return queryClient
}

/** Every signed-in page reacts to the missing session by sending the person to sign in. */
export function endSession(queryClient: QueryClient): void {
  queryClient.setQueryData(keys.session, null)
  forgetPerson(queryClient)
}

/** What one person saw is nothing for the next. */
export function forgetPerson(queryClient: QueryClient): void {
  queryClient.removeQueries({ queryKey: keys.read })
  queryClient.removeQueries({ queryKey: keys.workspaces })
}

/** Whether something belongs to a workspace, or may do so: not everything that is read says where it does. */
export function isOfWorkspace(queryKey: QueryKey, workspaceId: string): boolean {
  const [kind, of, init] = queryKey as [unknown, unknown, { params?: { query?: { workspaceId?: string }; path?: { id?: string } } }?]
  if (kind === keys.workspaces[0]) return of === workspaceId
  if (kind !== keys.read[0]) return false
  const isById = typeof of === 'string' && of.startsWith('/api/workspaces/{id}')
  const named = isById ? init?.params?.path?.id : init?.params?.query?.workspaceId
  return named === undefined || named === workspaceId
}

export function isSessionLost(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401 && error.code !== 'invalid_credentials'
}

function isWorthRetrying(error: Error): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500)
}
