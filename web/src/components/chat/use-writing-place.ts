import { useState } from 'react'

interface Options {
  /** Of a conversation that hasn't begun. */
  newKey: string
  conversationId: string | null
  /** Messages are shown: a conversation that gets its id now has just begun here. */
  hasMessages: boolean
}

/** Where what is being written belongs. */
export interface WritingPlace {
  key: string
  /** The key it had before, if its conversation has just begun here; else the same. */
  was: string
}

export function useWritingPlace({ newKey, conversationId, hasMessages }: Options): WritingPlace {
  const key = conversationId ?? newKey
  const [place, setPlace] = useState<WritingPlace>({ key, was: key })
  if (place.key === key) return place
  const next = { key, was: place.key === newKey && hasMessages ? newKey : key }
  setPlace(next)
  return next
}
