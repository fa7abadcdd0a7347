/** Runs as long as someone looks at the tab, and again when they come back; until it ends by itself or `whole` aborts. */
export async function whileVisible(run: (signal: AbortSignal) => Promise<void>, whole: AbortSignal): Promise<void> {
  while (await isLookedAt(whole)) {
    const looking = new AbortController()
    const look = () => {
      if (document.visibilityState === 'hidden') looking.abort()
    }
    document.addEventListener('visibilitychange', look, { signal: looking.signal })
    try {
      await run(AbortSignal.any([whole, looking.signal]))
      if (!looking.signal.aborted) return
    } finally {
      looking.abort()
    }
  }
}

/** Resolves when the tab is looked at, or with false when it doesn't matter any more. */
function isLookedAt(whole: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const settled = new AbortController()
    const look = () => {
      if (!whole.aborted && document.visibilityState === 'hidden') return
      settled.abort()
      resolve(!whole.aborted)
    }
    document.addEventListener('visibilitychange', look, { signal: settled.signal })
    whole.addEventListener('abort', look, { signal: settled.signal })
    look()
  })
}
