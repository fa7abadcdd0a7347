import { ChevronLeft, ChevronRight } from 'lucide-react'
import { createContext, use } from 'react'
import type { ForkPoint } from '@/api/types'
import { IconButton } from '@/components/ui/icon-button'
import { words } from '@/words/en/chat'
import { useChatScene } from './chat-context'

/** `‹ 2/3 ›`: leads to the other versions of the conversation from here on. */
export function VersionPager({ point }: { point: ForkPoint }) {
  const { actions } = useChatScene()
  const { versions, conversationId } = use(VersionsContext)
  const place = conversationId === null ? null : versionPlace(point, versions, conversationId)
  if (place === null) return null
  const { previous, next } = place
  return (
    <div role="group" aria-label={words.versions} className="flex items-center text-xs text-muted tabular-nums">
      <IconButton
        label={words.previousVersion}
        disabled={previous === null}
        onClick={() => {
          if (previous !== null) actions.openConversation(previous)
        }}
      >
        <ChevronLeft aria-hidden className="size-4" />
      </IconButton>
      <span>
        <span className="sr-only">{words.version} </span>
        {place.number}/{place.of}
      </span>
      <IconButton
        label={words.nextVersion}
        disabled={next === null}
        onClick={() => {
          if (next !== null) actions.openConversation(next)
        }}
      >
        <ChevronRight aria-hidden className="size-4" />
      </IconButton>
    </div>
  )
}

interface Versions {
  versions: readonly ForkPoint[]
  conversationId: string | null
}

/** Apart from the rest of a chat: only messages with a pager look at it. */
export const VersionsContext = createContext<Versions>({ versions: [], conversationId: null })

// Which of several versions of a conversation one is looking at.

/** A conversation that is the same up to a message. */
interface Version {
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
