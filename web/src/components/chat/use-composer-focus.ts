import { useEffect, useRef, type RefObject } from 'react'

type Box = RefObject<HTMLTextAreaElement | null>

/**
 * Where one writes has the focus when a chat opens, unless the person has put it elsewhere, and when a new conversation
 * is asked for.
 */
export function useComposerFocus(box: Box, conversationId: string | null): void {
  const last = useRef(conversationId)
  useEffect(() => {
    const isNew = last.current !== null && conversationId === null
    last.current = conversationId
    // A page or a drawer that goes away moves the focus too, and does so first.
    const timer = setTimeout(() => {
      if (!isNew && !isFree()) return
      focusBox(box)
      // A draft is gone on with at its end.
      box.current?.setSelectionRange(box.current.value.length, box.current.value.length)
    })
    return () => {
      clearTimeout(timer)
    }
  }, [conversationId, box])
}

/** Not on phones, where it would bring up a keyboard. */
export function focusBox(box: Box): void {
  if (!window.matchMedia('(pointer: coarse)').matches) box.current?.focus({ preventScroll: true })
}

/** Nothing in particular has the focus: the page as a whole gets it after a navigation. */
function isFree(): boolean {
  const focused = document.activeElement
  return focused === null || focused === document.body || focused.id === 'main'
}
