import { useEffect, useRef, useState } from 'react'
import type { UseAgentChatReturn } from '@/chat/types'
import type { ChatActions } from './chat-context'

/** The same actions for as long as the chat is there, so that finished messages are never drawn again because of them. */
export function useChatActions(chat: UseAgentChatReturn, openConversation: (id: string) => void): ChatActions {
  const latest = useRef({ chat, openConversation })
  useEffect(() => {
    latest.current = { chat, openConversation }
  })
  const [actions] = useState<ChatActions>(() => ({
    approve: (shown, options) => latest.current.chat.approve(shown, options),
    reject: (shown, reason) => latest.current.chat.reject(shown, reason),
    editMessage: (id, content) => latest.current.chat.editMessage(id, content),
    regenerate: (id) => latest.current.chat.regenerate(id),
    wroteSince: (id) => latest.current.chat.wroteSince(id),
    openConversation: (id) => {
      latest.current.openConversation(id)
    },
  }))
  return actions
}
