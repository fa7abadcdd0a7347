// What the parts of a message can do and look up. One object for the life of a chat, so that messages stay memoised.
import { createContext, useContext, useState } from 'react'
import type { UseAgentChatReturn } from '@/chat/types'
import type { ChatAgent } from './chat-agent'

export interface ChatActions {
  approve: UseAgentChatReturn['approve']
  reject: UseAgentChatReturn['reject']
  editMessage: (messageId: string, content: string) => Promise<void>
  regenerate: (messageId: string) => Promise<void>
  /** Tools have changed something since: another version leaves that as it is. */
  wroteSince: (messageId: string) => Promise<boolean>
  openConversation: (id: string) => void
}

export interface ChatScene {
  actions: ChatActions
  agents: readonly ChatAgent[]
  /** What this person may do besides talking. */
  can: ChatAbilities
  /** For visitors: where they sign in, and come back from. */
  signInPath: string | undefined
}

export interface ChatAbilities {
  /** Upload files. */
  attach: boolean
  /** Edit messages and ask for other answers. */
  fork: boolean
  /** See models, tokens and costs. */
  usage: boolean
}

export const ChatContext = createContext<ChatScene | null>(null)

export function useChatScene(): ChatScene {
  const scene = useContext(ChatContext)
  if (scene === null) throw new Error('useChatScene is only for what is inside <Chat>')
  return scene
}

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
