// Browsers allow six connections to a server, for all tabs together. What tabs stay connected for is kept to a few of them,
// so that the others are left for whatever a person does.

/** Streams at once. One connection more is for what happens in the workspace. */
const SLOTS = 3

/** A stream may be open until it is called. */
export type Release = () => void

/**
 * Null while all are taken, by tabs that are looked at too. Where there are no locks, or none to be had, the only limit is
 * looking.
 */
export async function takeSlot(): Promise<Release | null> {
  const locks = (navigator as Partial<Navigator>).locks ?? null
  if (locks === null) return () => undefined
  try {
    for (let slot = 0; slot < SLOTS; slot++) {
      const release = await ifFree(locks, `baton.line.${slot}`)
      if (release !== null) return release
    }
  } catch {
    return () => undefined
  }
  return null
}

/** The browser gives back what a tab held that is closed. */
function ifFree(locks: LockManager, name: string): Promise<Release | null> {
  return new Promise((resolve, reject) => {
    const hold = (lock: Lock | null) => {
      if (lock === null) {
        resolve(null)
        return
      }
      return new Promise<void>((release) => {
        resolve(release)
      })
    }
    locks.request(name, { ifAvailable: true }, hold).catch(reject)
  })
}
