// Which of several versions of a conversation one is looking at.
import type { ForkPoint } from '@/api/types'

/** A conversation that is the same up to a message. */
export interface Version {
  id: string
  left_writes_behind: boolean
}

interface VersionPlace {
  /** From 1. */
  number: number
  of: number
  previous: string | null
  next: string | null
}

function versionsAt(point: ForkPoint): readonly Version[] {
  // The API's description gives another schema of the same name here.
  return point.conversations
}

/**
 * At a fork point stands this conversation itself, or the one that it was forked from later on: that one is then found
 * at a second point too.
 */
export function versionPlace(point: ForkPoint, points: readonly ForkPoint[], conversationId: string): VersionPlace | null {
  const ids = versionsAt(point).map(({ id }) => id)
  const elsewhere = new Set(points.filter((other) => other !== point).flatMap((other) => versionsAt(other).map(({ id }) => id)))
  const own = ids.indexOf(conversationId)
  const index = own >= 0 ? own : ids.findIndex((id) => elsewhere.has(id))
  if (index < 0 || ids.length < 2) return null
  return { number: index + 1, of: ids.length, previous: ids[index - 1] ?? null, next: ids[index + 1] ?? null }
}
