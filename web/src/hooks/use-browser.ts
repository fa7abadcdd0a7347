import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { readStored, subscribeStored, writeStored } from '@/lib/storage'
import { words } from '@/words/en/hooks'
import { say } from '@/words/say'

/** The value, once it has stopped changing for a moment. */
export function useDebouncedValue<Value>(value: Value, milliseconds = 250): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => {
      setSettled(value)
    }, milliseconds)
    return () => {
      clearTimeout(timer)
    }
  }, [value, milliseconds])
  return settled
}

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

export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = say(words.titleBaton, { title })
  }, [title])
}

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

/** Choices about the keyboard, each on until someone turns it off. */
export type KeyboardSwitch = 'baton.enter-sends' | 'baton.help-key'

/** A choice kept in this browser, and how to change it. */
export function useSwitch(key: KeyboardSwitch): [boolean, (on: boolean) => void] {
  const [stored, write] = useStored(key)
  return [
    stored !== 'off',
    (on) => {
      write(on ? 'on' : 'off')
    },
  ]
}
