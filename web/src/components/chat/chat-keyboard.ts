import { type RefObject, useEffect, useRef, useState } from 'react'

interface StopKey {
  isStreaming: boolean
  /** An approval waits: stopping cancels it. */
  isWaiting: boolean
  /** Where one writes; what is written there stays. */
  boxRef: RefObject<HTMLTextAreaElement | null>
  onStop: () => void
}

/** Escape stops the turn, unless it closes something that is open above the chat or would throw away what is written. */
export function useStopKey({ isStreaming, isWaiting, boxRef, onStop }: StopKey): void {
  const latest = useRef(onStop)
  useEffect(() => {
    latest.current = onStop
  }, [onStop])
  useEffect(() => {
    if (!isStreaming && !isWaiting) return
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return
      if (!isStreaming && isAnswering(boxRef.current)) return
      latest.current()
    }
    document.addEventListener('keydown', onKey)
    return () => {
      document.removeEventListener('keydown', onKey)
    }
  }, [isStreaming, isWaiting, boxRef])
}

/** A reason or other arguments are being written, which would go with the question. */
function isAnswering(box: HTMLTextAreaElement | null): boolean {
  return [...document.querySelectorAll('textarea')].some((field) => field !== box)
}

/** Smaller differences are the browser's own bars. */
const KEYBOARD = 120

/** How much of the page's foot a phone's keyboard covers. Browsers that shrink the page for it report nothing. */
export function useKeyboardInset(): number {
  const [inset, setInset] = useState(0)
  useEffect(() => {
    const viewport = window.visualViewport
    if (!viewport) return
    const measure = () => {
      const covered = window.innerHeight - viewport.height - viewport.offsetTop
      setInset(viewport.scale === 1 && covered > KEYBOARD ? Math.round(covered) : 0)
    }
    viewport.addEventListener('resize', measure)
    viewport.addEventListener('scroll', measure)
    return () => {
      viewport.removeEventListener('resize', measure)
      viewport.removeEventListener('scroll', measure)
    }
  }, [])
  return inset
}
