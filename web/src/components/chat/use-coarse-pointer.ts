import { useSyncExternalStore } from 'react'

const query = () => window.matchMedia('(pointer: coarse)')

function subscribe(listener: () => void): () => void {
  const media = query()
  media.addEventListener('change', listener)
  return () => {
    media.removeEventListener('change', listener)
  }
}

/** A finger rather than a mouse: a phone or a tablet, with a keyboard on its screen. */
export function useCoarsePointer(): boolean {
  return useSyncExternalStore(subscribe, () => query().matches)
}
