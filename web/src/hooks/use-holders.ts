// What a conversation has been through: who held it, and the results of its stages.
import { useQuery } from '@tanstack/react-query'
import { $api, client, unwrap } from '@/api/client'
import { fetchActivations } from '@/api/conversations'
import { keys } from '@/api/query-client'
import type { components } from '@/api/schema'

interface HolderLineOptions {
  workspaceId: string
  conversationId: string | null
  enabled: boolean
  /** Read again when this changes. */
  epoch: number | undefined
}

/** Whom the server asks in turn to go on: those that held the conversation, newest first, then the workspace's default. */
export function useHolderLine({ workspaceId, conversationId, enabled, epoch }: HolderLineOptions): string[] | undefined {
  const { data: held } = useQuery({
    queryKey: [...keys.conversation(workspaceId, conversationId ?? ''), 'activations', epoch],
    enabled: enabled && conversationId !== null,
    queryFn: ({ signal }) => fetchActivations(conversationId ?? '', signal),
  })
  // As `useWorkspaceSettings` reads it: a chat begins without what else is known of a workspace's settings.
  const { data: workspace } = $api.useQuery('get', '/api/workspaces/{id}', { params: { path: { id: workspaceId } } }, { enabled })
  return held && workspace && [...held.map(({ agent_id }) => agent_id).reverse(), workspace.default_agent_id ?? '']
}

export type StageSnapshot = components['schemas']['SnapshotView']

interface SnapshotsOptions {
  workspaceId: string
  conversationId: string | null
  enabled: boolean
  /** Read again when this changes, such as how many stages were passed. */
  moment: string
}

/** The results of the stages that a conversation has been through. */
export function useSnapshots({ workspaceId, conversationId, enabled, moment }: SnapshotsOptions): readonly StageSnapshot[] {
  const { data } = useQuery({
    queryKey: [...keys.conversation(workspaceId, conversationId ?? ''), 'snapshots', moment],
    enabled: enabled && conversationId !== null,
    queryFn: ({ signal }) => {
      const params = { path: { id: conversationId ?? '' } }
      return unwrap(client.GET('/api/agent-conversations/{id}/snapshots', { params, signal }))
    },
    placeholderData: (before, query) => (query?.queryKey[3] === conversationId ? before : undefined),
  })
  return data ?? []
}
