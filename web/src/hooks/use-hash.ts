import { useSyncExternalStore } from 'react'

function subscribe(listener: () => void): () => void {
  window.addEventListener('hashchange', listener)
  return () => {
    window.removeEventListener('hashchange', listener)
  }
}

/** What follows the # in the address. Browsers never send it to a server, so it may hold a secret. */
export function useHash(): string {
  return useSyncExternalStore(subscribe, () => window.location.hash.slice(1))
}
