// Small choices kept in this browser, readable by React. Works, for the visit, when storage is blocked.

type Place = 'localStorage' | 'sessionStorage'

const memory = new Map<string, string>()
const listeners = new Set<() => void>()

export function readStored(key: string, place: Place = 'localStorage'): string | null {
  try {
    return window[place].getItem(key)
  } catch {
    return memory.get(key) ?? null
  }
}

export function writeStored(key: string, value: string, place: Place = 'localStorage'): void {
  try {
    window[place].setItem(key, value)
  } catch {
    memory.set(key, value)
  }
  listeners.forEach((listener) => {
    listener()
  })
}

/** Calls back when a value changes, here or in another tab. */
export function subscribeStored(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}
