// Small choices kept in this browser, readable by React. Works, for the visit, when storage is blocked.

const memory = new Map<string, string>()
const listeners = new Set<() => void>()

export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return memory.get(key) ?? null
  }
}

export function writeStored(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
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
