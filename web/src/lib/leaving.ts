// Asks whoever has unsaved changes before a page is left by other ways than a link.

type Guard = (go: () => void) => void

let guard: Guard | null = null

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
  else guard(go)
}
