import { useQuery } from '@tanstack/react-query'
import { client, unwrap } from '@/api/client'
import { keys } from '@/api/query-client'
import type { components } from '@/api/schema'

export type StageSnapshot = components['schemas']['SnapshotView']

interface Options {
  workspaceId: string
  conversationId: string | null
  enabled: boolean
  /** Read again when this changes, such as how many stages were passed. */
  moment: string
}

/** The results of the stages that a conversation has been through. */
export function useSnapshots({ workspaceId, conversationId, enabled, moment }: Options): readonly StageSnapshot[] {
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
