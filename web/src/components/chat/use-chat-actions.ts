import { useEffect, useRef, useState } from 'react'
import { messageOf } from '@/api/errors'
import { isSessionLost } from '@/api/query-client'
import type { UseAgentChatReturn } from '@/chat/types'
import { notify } from '@/lib/toasts'
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

/** What went wrong is on the page already. */
export class AlreadyTold extends Error {}

/** Says what went wrong. That one has to sign in is nothing to be told on the page where one does, or after it. */
export function notifyError(error: unknown): void {
  if (!(error instanceof AlreadyTold)) notify(messageOf(error), 'error', { isOfPage: isSessionLost(error) })
}
