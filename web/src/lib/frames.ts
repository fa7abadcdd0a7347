/** Calls back before the next frame is drawn, once however often it was asked. A hidden page draws none: there soon. */
export function perFrame(callback: () => void): { ask: () => void; cancel: () => void } {
  let cancelAsked: (() => void) | null = null
  const run = () => {
    cancelAsked?.()
    cancelAsked = null
    callback()
  }
  return {
    ask: () => {
      if (cancelAsked !== null) return
      // Whichever comes first: a page that is hidden after this gets no frame any more.
      const frame = requestAnimationFrame(run)
      const timer = setTimeout(run, 250)
      cancelAsked = () => {
        cancelAnimationFrame(frame)
        clearTimeout(timer)
      }
    },
    cancel: () => {
      cancelAsked?.()
      cancelAsked = null
    },
  }
}
