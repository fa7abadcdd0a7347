import { useLayoutEffect } from 'react'

/**
 * The shade behind a modal. Not Radix's own overlay: that one locks scrolling with an inline <style>, which the
 * Content-Security-Policy forbids. A modal closes on outside clicks by itself, so the shade needs no handler.
 * As high as modals: what opened last lies above, so a question over a drawer shades the drawer too. Only the last
 * shade is seen, or the page would be shaded twice.
 */
export function Overlay() {
  useScrollLock()
  return <div data-shade className="fixed inset-0 z-50 animate-fade-in bg-overlay has-[~[data-shade]]:bg-transparent" />
}

/** Keeps the page from scrolling, and from jumping sideways when its scroll bar goes. */
function useScrollLock(): void {
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
