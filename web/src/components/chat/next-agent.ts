import { useQuery } from '@tanstack/react-query'
import { fetchActivations } from '@/api/conversations'
import { keys } from '@/api/query-client'
import { fetchWorkspace } from '@/api/workspaces'
import type { UseAgentChatReturn } from '@/chat/types'
import type { ChatAgent } from './chat-agent'

/** The agent that held the conversation was let go, or is closed to this person now. */
export interface HolderGone {
  /** Who answers the next message; null when nobody can, undefined while that isn't known. */
  next: ChatAgent | null | undefined
}

interface Options {
  chat: UseAgentChatReturn
  workspaceId: string
  /** Every agent that works here. Null while that isn't known for sure. */
  agents: readonly ChatAgent[] | null
}

/** Undefined where the holder of the conversation works here, or may do so. */
export function useHolderGone({ chat, workspaceId, agents }: Options): HolderGone | undefined {
  const { active, conversationId } = chat
  const isGone = active !== null && agents !== null && !agents.some(({ id }) => id === active.agentId)
  const { data: line } = useQuery({
    queryKey: [...keys.conversation(workspaceId, conversationId ?? ''), 'line', active?.epoch],
    enabled: isGone && conversationId !== null,
    queryFn: ({ signal }) => fetchLine(workspaceId, conversationId ?? '', signal),
  })
  if (!isGone) return undefined
  const usable = new Map(agents.filter(({ refusal }) => refusal === null).map((agent) => [agent.id, agent]))
  return { next: line && (usable.get(line.find((id) => usable.has(id)) ?? '') ?? null) }
}

/** Who the server asks in turn to go on: those that held the conversation, newest first, then the workspace's default. */
async function fetchLine(workspaceId: string, id: string, signal: AbortSignal): Promise<string[]> {
  const [held, workspace] = await Promise.all([
    fetchActivations(id, signal),
    fetchWorkspace(workspaceId, signal),
  ])
  return [...held.map(({ agent_id }) => agent_id).reverse(), workspace.default_agent_id ?? '']
}
