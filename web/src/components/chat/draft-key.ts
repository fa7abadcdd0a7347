import { useState } from 'react'

interface Options {
  /** Of a conversation that hasn't begun. */
  newKey: string
  conversationId: string | null
  /** Messages are shown: a conversation that gets its id now has just begun here. */
  hasMessages: boolean
}

/** Where what is being written belongs. */
export interface DraftKey {
  key: string
  /** The key it had before, if its conversation has just begun here; else the same. */
  was: string
}

export function useDraftKey({ newKey, conversationId, hasMessages }: Options): DraftKey {
  const key = conversationId ?? newKey
  const [place, setPlace] = useState<DraftKey>({ key, was: key })
  if (place.key === key) return place
  const next = { key, was: place.key === newKey && hasMessages ? newKey : key }
  setPlace(next)
  return next
}
