import { useCallback, useSyncExternalStore } from 'react'
import { readStored, subscribeStored, writeStored } from '@/lib/storage'

/** A choice kept in this browser. */
export function useStored(key: string): [string | null, (value: string) => void] {
  const value = useSyncExternalStore(subscribeStored, () => readStored(key))
  const write = useCallback(
    (next: string) => {
      writeStored(key, next)
    },
    [key],
  )
  return [value, write]
}
