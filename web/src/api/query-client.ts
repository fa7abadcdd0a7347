// Server state: one cache for the app, its keys, and what a lost session does to it.
import { MutationCache, notifyManager, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from './errors'
import type { AgentFilters } from './agents'

export const keys = {
  options: ['auth', 'options'] as const,
  departments: ['departments'] as const,
  session: ['auth', 'session'] as const,
  tokens: ['auth', 'tokens'] as const,
  link: (token: string) => ['auth', 'link', token] as const,
  invitation: (token: string) => ['auth', 'invitation', token] as const,
  /** Everything that belongs to a workspace begins like this, so that it can be dropped when the person changes. */
  workspaces: ['workspace'] as const,
  workspace: (workspaceId: string) => ['workspace', workspaceId, 'settings'] as const,
  members: (workspaceId: string) => ['workspace', workspaceId, 'members'] as const,
  invitations: (workspaceId: string) => ['workspace', workspaceId, 'invitations'] as const,
  audit: (workspaceId: string) => ['workspace', workspaceId, 'audit'] as const,
  /** A workspace at its public address. What it shows depends on who looks. */
  publicWorkspace: (slug: string) => ['workspace', 'public', slug] as const,
  /** Of the whole server, for its admins. */
  catalog: ['workspace', 'administration', 'catalog'] as const,
  profiles: ['workspace', 'administration', 'profiles'] as const,
  agents: (workspaceId: string) => ['workspace', workspaceId, 'agents'] as const,
  agentList: (workspaceId: string, filters: AgentFilters) => ['workspace', workspaceId, 'agents', filters] as const,
  agentStats: (workspaceId: string) => ['workspace', workspaceId, 'agent-stats'] as const,
  agent: (workspaceId: string, id: string) => ['workspace', workspaceId, 'agents', 'one', id] as const,
  /** Whichever workspace it works in. */
  agentAnywhere: (id: string) => ['workspace', 'any', 'agents', id] as const,
  /** `of`: an agent's or a team's id. */
  conversations: (workspaceId: string, of: string) => ['workspace', workspaceId, 'conversations', of] as const,
  /** A plain list, apart from the lists that come page by page. */
  latestConversations: (workspaceId: string) => ['workspace', workspaceId, 'latest-conversations'] as const,
  conversation: (workspaceId: string, id: string) => ['workspace', workspaceId, 'conversation', id] as const,
  approvals: (workspaceId: string) => ['workspace', workspaceId, 'approvals'] as const,
  pendingApprovals: (workspaceId: string) => ['workspace', workspaceId, 'approvals', 'pending'] as const,
  teams: (workspaceId: string) => ['workspace', workspaceId, 'teams'] as const,
  team: (workspaceId: string, id: string) => ['workspace', workspaceId, 'teams', id] as const,
  packs: (workspaceId: string) => ['workspace', workspaceId, 'packs'] as const,
  tools: (workspaceId: string) => ['workspace', workspaceId, 'tools'] as const,
  skills: (workspaceId: string) => ['workspace', workspaceId, 'skills'] as const,
  rules: (workspaceId: string) => ['workspace', workspaceId, 'rules'] as const,
  memories: (workspaceId: string, agentId: string) => ['workspace', workspaceId, 'memories', agentId] as const,
  models: (workspaceId: string) => ['workspace', workspaceId, 'models'] as const,
  usage: (workspaceId: string) => ['workspace', workspaceId, 'usage'] as const,
  transitions: (workspaceId: string) => ['workspace', workspaceId, 'transitions'] as const,
  task: (workspaceId: string, id: string) => ['workspace', workspaceId, 'tasks', id] as const,
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
  queryClient.removeQueries({ queryKey: keys.tokens })
  queryClient.removeQueries({ queryKey: keys.workspaces })
}

export function isSessionLost(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401 && error.code !== 'invalid_credentials'
}

function isWorthRetrying(error: Error): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500)
}
