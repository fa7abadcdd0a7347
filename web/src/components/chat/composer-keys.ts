// What a key means in the composer.

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
