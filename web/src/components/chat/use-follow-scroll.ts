// Keeps the newest words in view as follow-scroll.ts decides, and each conversation where it was left.
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { distanceFromEnd, follow, FOLLOWING, NEAR, type FollowEvent, type FollowState, type Position } from './follow-scroll'
import { onMoves } from './moves-up'

interface Left {
  state: FollowState
  top: number
}

const leftAt = new Map<string, Left>()

/** `ready`: the conversation is shown, so that there is something to scroll. */
export function useFollowScroll(conversationId: string | null, ready: boolean) {
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const state = useRef(FOLLOWING)
  /** Where the view was seen last: what differs from it was not done here. */
  const seen = useRef<Position>({ top: 0, height: 0, viewHeight: 0, viewWidth: 0 })
  const [isAway, setIsAway] = useState(false)

  const tell = useCallback((event: FollowEvent) => {
    state.current = follow(state.current, event)
    const view = scroller.current
    setIsAway(view !== null && !state.current.following && distanceFromEnd(positionOf(view)) > NEAR)
  }, [])

  const toLatest = useCallback(() => {
    tell({ type: 'latest' })
    const view = scroller.current
    if (view === null) return
    view.scrollTo({ top: view.scrollHeight })
    seen.current = positionOf(view)
  }, [tell])

  useEffect(() => {
    const view = scroller.current
    const inner = content.current
    if (view === null || inner === null) return
    const stop = new AbortController()
    seen.current = positionOf(view)
    onMoves(view, inner, tell, stop.signal)
    const onScroll = () => {
      const from = seen.current
      seen.current = positionOf(view)
      tell({ type: 'scroll', from, to: seen.current })
    }
    view.addEventListener('scroll', onScroll, { signal: stop.signal, passive: true })
    const growth = new ResizeObserver(() => {
      tell({ type: view.scrollHeight <= view.clientHeight ? 'latest' : 'content' })
      if (state.current.following) view.scrollTop = view.scrollHeight
      seen.current = positionOf(view)
    })
    growth.observe(inner)
    growth.observe(view)
    return () => {
      stop.abort()
      growth.disconnect()
    }
  }, [tell])

  const current = useRef(conversationId)
  useLayoutEffect(() => {
    const view = scroller.current
    const began = current.current === null && conversationId !== null
    current.current = conversationId
    // A conversation that has just begun goes on in the same view.
    if (view === null || !ready || began) return
    const left = conversationId === null ? undefined : leftAt.get(conversationId)
    state.current = left?.state ?? FOLLOWING
    view.scrollTop = state.current.following ? view.scrollHeight : (left?.top ?? 0)
    seen.current = positionOf(view)
    return () => {
      if (conversationId !== null) leftAt.set(conversationId, { state: state.current, top: view.scrollTop })
    }
  }, [conversationId, ready])

  return { scroller, content, isAway, toLatest }
}

function positionOf({ scrollTop, scrollHeight, clientHeight, clientWidth }: HTMLElement): Position {
  return { top: scrollTop, height: scrollHeight, viewHeight: clientHeight, viewWidth: clientWidth }
}
