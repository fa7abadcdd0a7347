import { createContext } from 'react'
import type { ForkPoint } from '@/api/types'

interface Versions {
  versions: readonly ForkPoint[]
  conversationId: string | null
}

/** Apart from the rest of a chat: only messages with a pager look at it. */
export const VersionsContext = createContext<Versions>({ versions: [], conversationId: null })
