import { useEffect, useRef } from 'react'

/** Escape stops the answer, unless it closes something that is open above the chat. */
export function useStopKey(active: boolean, stop: () => void): void {
  const latest = useRef(stop)
  useEffect(() => {
    latest.current = stop
  }, [stop])
  useEffect(() => {
    if (!active) return
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented && !event.isComposing) latest.current()
    }
    document.addEventListener('keydown', onKey)
    return () => {
      document.removeEventListener('keydown', onKey)
    }
  }, [active])
}
