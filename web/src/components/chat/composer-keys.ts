// What a key means in the composer.
import { useSyncExternalStore } from 'react'
import { useSwitch } from '@/hooks/use-browser'

interface Key {
  key: string
  shiftKey: boolean
  altKey: boolean
  ctrlKey: boolean
  metaKey: boolean
  isComposing: boolean
  keyCode: number
}

/** Whether the key sends the message. While an input method composes, Enter chooses a word. */
export function sends(event: Key, enterSends: boolean): boolean {
  if (event.key !== 'Enter' || event.isComposing || event.keyCode === 229) return false
  if (event.ctrlKey || event.metaKey) return true
  return enterSends && !event.shiftKey && !event.altKey
}

/** Whether Enter alone sends. On phones it breaks the line, whatever is chosen. */
export function useEnterSends(): boolean {
  const onPhone = useCoarsePointer()
  const [chosen] = useSwitch('baton.enter-sends')
  return chosen && !onPhone
}

const query = () => window.matchMedia('(pointer: coarse)')

function subscribe(listener: () => void): () => void {
  const media = query()
  media.addEventListener('change', listener)
  return () => {
    media.removeEventListener('change', listener)
  }
}

/** A finger rather than a mouse: a phone or a tablet, with a keyboard on its screen. */
function useCoarsePointer(): boolean {
  return useSyncExternalStore(subscribe, () => query().matches)
}
