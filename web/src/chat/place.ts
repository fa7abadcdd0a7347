// Where a chat takes place, and what is sent there.
import type { NewMessage } from '@/api/chat'
import type { Outgoing } from './message-queue'

export interface ChatPlace {
  workspaceId: string
  agentId?: string
  teamId?: string
  conversationId: string | null
}

/** With whom a conversation that isn't there yet begins. */
export function beginning({ agentId, teamId }: ChatPlace): { agentId?: string; teamId?: string } {
  return teamId === undefined ? { agentId } : { teamId }
}

export function messageBody(place: ChatPlace, message: Outgoing, conversationId: string | null): NewMessage {
  const { content, attachments, webSearch } = message
  return {
    workspaceId: place.workspaceId,
    message: content,
    ...(conversationId === null ? beginning(place) : { conversationId }),
    ...(attachments.length > 0 && { attachments: attachments.map(({ id }) => id) }),
    ...(webSearch === true && { webSearch }),
  }
}

/** What names the messages that wait. */
export function queuePlace({ agentId, teamId }: ChatPlace, conversationId: string | null): string {
  return conversationId ?? `new.${teamId ?? agentId ?? ''}`
}
