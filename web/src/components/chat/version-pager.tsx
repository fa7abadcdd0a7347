import { ChevronLeft, ChevronRight } from 'lucide-react'
import { use } from 'react'
import type { ForkPoint } from '@/api/types'
import { useChatScene } from './chat-context'
import { IconButton } from './icon-button'
import { VersionsContext } from './versions-context'
import { versionPlace } from './versions'

/** `‹ 2/3 ›`: leads to the other versions of the conversation from here on. */
export function VersionPager({ point }: { point: ForkPoint }) {
  const { actions } = useChatScene()
  const { versions, conversationId } = use(VersionsContext)
  const place = conversationId === null ? null : versionPlace(point, versions, conversationId)
  if (place === null) return null
  const { previous, next } = place
  return (
    <div role="group" aria-label="Versions" className="flex items-center text-xs text-muted tabular-nums">
      <IconButton
        label="Previous version"
        disabled={previous === null}
        onClick={() => {
          if (previous !== null) actions.openConversation(previous)
        }}
      >
        <ChevronLeft aria-hidden className="size-4" />
      </IconButton>
      <span>
        <span className="sr-only">Version </span>
        {place.number}/{place.of}
      </span>
      <IconButton
        label="Next version"
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
