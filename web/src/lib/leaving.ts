// Asks whoever has unsaved changes before a page is left by other ways than a link.

interface Guard {
  /** The app is about to go elsewhere. */
  ask: (go: () => void) => void
  /** The browser has gone back or forward; the router doesn't know yet. */
  onBack: (event: PopStateEvent) => void
}

let guard: Guard | null = null

// Chromium calls the listeners of a window's own events in the order of their registration, capturing or not. So this one is
// there before the router has its own, and for good: a form that adds one when it changes would be told too late.
window.addEventListener('popstate', (event) => {
  guard?.onBack(event)
})

/** Gives back what takes the guard away. */
export function guardLeaving(next: Guard): () => void {
  guard = next
  return () => {
    if (guard === next) guard = null
  }
}

/** Goes at once, or when the person says so. */
export function leaveBy(go: () => void): void {
  if (guard === null) go()
  else guard.ask(go)
}
