import { useState } from 'react'
import { messageOf } from '@/api/errors'
import type { SendOptions } from '@/chat/types'
import { notify } from '@/lib/notices'
import type { Attachments } from './use-attachments'

interface Options {
  text: string
  onText: (text: string) => void
  attachments: Attachments
  canSearchWeb: boolean
  onSend: (content: string, options: SendOptions) => Promise<void>
}

/** Sends what is written, and gives it back when that fails before anything was stored. */
export function useComposer({ text, onText, attachments, canSearchWeb, onSend }: Options) {
  const [webSearch, setWebSearch] = useState(false)
  const content = text.trim()
  const canSend = content !== '' && !attachments.isUploading

  async function send(): Promise<void> {
    const options: SendOptions = {
      ...(attachments.ready.length > 0 && { attachments: attachments.ready }),
      ...(webSearch && canSearchWeb && { webSearch }),
    }
    onText('')
    const giveBack = attachments.take()
    try {
      await onSend(content, options)
    } catch (error) {
      onText(text)
      giveBack()
      notify(messageOf(error), 'error')
    }
  }

  return {
    webSearch,
    setWebSearch,
    canSend,
    submit: () => {
      if (canSend) void send()
    },
  }
}
