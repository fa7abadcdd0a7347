import { useSyncExternalStore } from 'react'

const query = (text: string) => (typeof window.matchMedia === 'function' ? window.matchMedia(text) : undefined)

/** Whether the screen is too narrow for columns. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => query(NARROW)?.matches ?? false)
}

const NARROW = '(width < 40rem)'

function subscribe(changed: () => void): () => void {
  const media = query(NARROW)
  media?.addEventListener('change', changed)
  return () => {
    media?.removeEventListener('change', changed)
  }
}
