// Who holds a conversation, as its stream tells it.
import type { Active, StreamEvent } from '@/api/types'

/** Of two that say who holds the conversation, the larger epoch is right; at the same one only the pin may be another. */
export function newer(
  active: Active | null,
  { to, toName, epoch }: { to: string; toName: string; epoch: number },
  pinned: boolean,
  summary: string | null,
  at: Date,
): Active | null {
  if (active !== null && active.epoch === epoch && active.agentId === to) return { ...active, pinned }
  if (active !== null && active.epoch >= epoch) return active
  const since = at.toISOString()
  return { activationId: '', messageId: null, agentId: to, agentName: toName, avatarUrl: null, role: null, summary, since, epoch, pinned }
}

/** An agent's message shows its face. The first one of a new conversation also tells who holds it. */
export function seen(active: Active | null, event: Extract<StreamEvent, { type: 'message_start' }>): Active | null {
  const { agentId, agentName, avatarUrl } = event
  if (active === null) {
    const unknown = { activationId: '', messageId: null, role: null, summary: null, pinned: false, epoch: 0 }
    return { ...unknown, agentId, agentName, avatarUrl, since: event.timestamp }
  }
  return active.agentId === agentId && active.avatarUrl === null && avatarUrl !== null ? { ...active, avatarUrl } : active
}
