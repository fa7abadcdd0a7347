// Keeps the newest words in view as follow-scroll.ts decides, and each conversation where it was left.
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import {
  distanceFromEnd,
  follow,
  type FollowEvent,
  FOLLOWING,
  type FollowState,
  isUpKey,
  NEAR,
  type Position,
} from './follow-scroll'

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

// What a person does in a view that says, before anything scrolls, that they want to read further up.

type Tell = (event: FollowEvent) => void

function onMoves(view: HTMLElement, content: HTMLElement, tell: Tell, signal: AbortSignal): void {
  const on = { signal, passive: true }
  const up = () => {
    tell({ type: 'up' })
  }
  view.addEventListener('wheel', (event) => { if (event.deltaY < 0) up() }, on)
  view.addEventListener('keydown', (event) => {
    if (isUpKey(event) && !(event.target instanceof HTMLTextAreaElement)) up()
  }, on)
  // Someone who unfolds something wants to read it.
  content.addEventListener('click', (event) => {
    if (event.target instanceof Element && event.target.closest('[aria-expanded]')) up()
  }, on)
  onDrag(view, up, on)
  onFocus(content, tell, on)
}

/** A finger that goes down pulls what is above into view. */
function onDrag(view: HTMLElement, up: () => void, on: AddEventListenerOptions): void {
  let last = 0
  view.addEventListener('touchstart', (event) => { last = event.touches[0]?.clientY ?? 0 }, on)
  view.addEventListener('touchmove', (event) => {
    const now = event.touches[0]?.clientY ?? 0
    if (now > last) up()
    last = now
  }, on)
}

/** By the keyboard: a click on a button is no wish to stay with it. */
function onFocus(content: HTMLElement, tell: Tell, on: AddEventListenerOptions): void {
  content.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof Element) || !target.matches(':focus-visible')) return
    const distance = content.getBoundingClientRect().bottom - target.getBoundingClientRect().bottom
    tell({ type: 'focus', distance })
  }, on)
}
