// A long conversation is drawn from its end; the rest is drawn, and then asked for, as one scrolls up.
import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import type { AgentMessage } from '@/chat/types'

const STEP = 80

interface Options {
  messages: readonly AgentMessage[]
  hasOlder: boolean
  isLoadingOlder: boolean
  loadOlder: () => Promise<void>
  scroller: RefObject<HTMLElement | null>
}

export function useShownMessages({ messages, hasOlder, isLoadingOlder, loadOlder, scroller }: Options) {
  const [firstId, setFirstId] = useState<string | null>(null)
  const found = firstId === null ? -1 : messages.findIndex(({ id }) => id === firstId)
  const start = found >= 0 ? found : Math.max(0, messages.length - STEP)
  const hasMore = start > 0 || hasOlder

  const top = useRef<HTMLDivElement>(null)
  const anchor = useRef<{ id: string; offset: number } | null>(null)

  const firstKnownId = messages[0]?.id ?? null
  const [failedAt, setFailedAt] = useState<string | null>(null)
  const hasFailed = start === 0 && hasOlder && failedAt !== null && failedAt === firstKnownId
  const load = useCallback(() => {
    // Older ones come before this one, out of sight, and are shown in the next step.
    setFirstId(firstKnownId)
    loadOlder().catch(() => {
      setFailedAt(firstKnownId)
    })
  }, [firstKnownId, loadOlder])

  const nextId = messages[Math.max(0, start - STEP)]?.id ?? null
  useEffect(() => {
    const mark = top.current
    if (mark === null || !hasMore || isLoadingOlder || hasFailed) return
    const showMore = () => {
      if (start > 0) {
        anchor.current = firstVisible(scroller.current)
        setFirstId(nextId)
      } else load()
    }
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) showMore()
      },
      { root: scroller.current, rootMargin: '400px 0px 0px' },
    )
    observer.observe(mark)
    return () => {
      observer.disconnect()
    }
  }, [start, nextId, hasMore, isLoadingOlder, hasFailed, load, scroller])

  // What was in view stays where it was when more appears above it.
  const firstShownId = messages[start]?.id
  useLayoutEffect(() => {
    const view = scroller.current
    const held = anchor.current
    if (view === null || held === null) return
    const element = view.querySelector<HTMLElement>(`[data-message="${CSS.escape(held.id)}"]`)
    if (element === null) return
    view.scrollBy(0, element.getBoundingClientRect().top - held.offset)
    anchor.current = null
  }, [firstShownId, scroller])

  /** What asks for more is in view. */
  const tryAgain = () => {
    setFailedAt(null)
  }
  const showRecent = useCallback(() => {
    setFirstId(null)
  }, [])
  return { shown: messages.slice(start), hasMore, hasFailed, tryAgain, top, showRecent }
}

function firstVisible(view: HTMLElement | null): { id: string; offset: number } | null {
  if (view === null) return null
  const edge = view.getBoundingClientRect().top
  for (const element of view.querySelectorAll<HTMLElement>('[data-message]')) {
    const { top, bottom } = element.getBoundingClientRect()
    if (bottom > edge) return { id: element.dataset.message ?? '', offset: top }
  }
  return null
}
