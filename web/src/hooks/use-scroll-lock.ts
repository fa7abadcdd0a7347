import { useLayoutEffect } from 'react'

/** Keeps the page from scrolling, and from jumping sideways when its scroll bar goes. */
export function useScrollLock(): void {
  useLayoutEffect(() => {
    const { documentElement: root, body } = document
    const before = { overflow: root.style.overflow, paddingRight: body.style.paddingRight }
    const scrollbar = window.innerWidth - root.clientWidth
    if (scrollbar > 0) body.style.paddingRight = `${scrollbar}px`
    root.style.overflow = 'hidden'
    return () => {
      root.style.overflow = before.overflow
      body.style.paddingRight = before.paddingRight
    }
  }, [])
}
