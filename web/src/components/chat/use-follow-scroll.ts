// Keeps the newest words in view as follow-scroll.ts decides, and each conversation where it was left.
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { follow, FOLLOWING, NEAR, type FollowEvent, type FollowState } from './follow-scroll'

const UP_KEYS = new Set(['ArrowUp', 'PageUp', 'Home'])

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
  const [isAway, setIsAway] = useState(false)

  const tell = useCallback((event: FollowEvent) => {
    state.current = follow(state.current, event)
    const view = scroller.current
    setIsAway(view !== null && !state.current.following && distanceFromEnd(view) > NEAR)
  }, [])

  const toLatest = useCallback(() => {
    tell({ type: 'latest' })
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight })
  }, [tell])

  useEffect(() => {
    const view = scroller.current
    const inner = content.current
    if (view === null || inner === null) return
    const stop = new AbortController()
    const on = { signal: stop.signal, passive: true }
    let lastTop = view.scrollTop
    let lastTouch = 0
    let dragging = false
    const up = () => {
      tell({ type: 'up' })
    }
    view.addEventListener('wheel', (event) => { if (event.deltaY < 0) up() }, on)
    view.addEventListener('touchstart', (event) => { lastTouch = event.touches[0]?.clientY ?? 0 }, on)
    view.addEventListener('touchmove', (event) => {
      const touch = event.touches[0]?.clientY ?? 0
      if (touch > lastTouch) up()
      lastTouch = touch
    }, on)
    view.addEventListener('keydown', (event) => {
      if (UP_KEYS.has(event.key) && !(event.target instanceof HTMLTextAreaElement)) up()
    }, on)
    // The scroll bar has no events of its own: a press on the view itself, beside its content, is one on the bar.
    view.addEventListener('pointerdown', (event) => { dragging = event.target === view }, on)
    window.addEventListener('pointerup', () => { dragging = false }, on)
    // Someone who unfolds something wants to read it.
    inner.addEventListener('click', (event) => {
      if (event.target instanceof Element && event.target.closest('[aria-expanded]')) up()
    }, on)
    view.addEventListener('scroll', () => {
      const moved = view.scrollTop - lastTop
      lastTop = view.scrollTop
      if (dragging && moved < 0) up()
      tell({ type: 'scroll', distance: distanceFromEnd(view), moved })
    }, on)
    const growth = new ResizeObserver(() => {
      tell({ type: view.scrollHeight <= view.clientHeight ? 'latest' : 'content' })
      if (state.current.following) view.scrollTop = view.scrollHeight
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
    return () => {
      if (conversationId !== null) leftAt.set(conversationId, { state: state.current, top: view.scrollTop })
    }
  }, [conversationId, ready])

  return { scroller, content, isAway, toLatest }
}

function distanceFromEnd(view: HTMLElement): number {
  return view.scrollHeight - view.scrollTop - view.clientHeight
}
