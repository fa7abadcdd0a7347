import { useState } from 'react'
import type { SendOptions } from '@/chat/types'
import { notify } from '@/lib/toasts'
import { excessOf } from './message-length'
import { notifyError } from './notify-error'
import type { Attachments } from './use-attachments'
import type { ComposerText } from './use-composer-text'

interface Options {
  draft: ComposerText
  attachments: Attachments
  canSearchWeb: boolean
  longest: number
  onSend: (content: string, options: SendOptions) => Promise<void>
}

/** Sends what is written, and gives it back when that fails before anything was stored. */
export function useComposer({ draft, attachments, canSearchWeb, longest, onSend }: Options) {
  const [webSearch, setWebSearch] = useState(false)
  const content = draft.text.trim()
  const excess = excessOf(content, longest)
  const canSend = content !== '' && excess === 0 && !attachments.isUploading

  async function send(): Promise<void> {
    const options: SendOptions = {
      ...(attachments.ready.length > 0 && { attachments: attachments.ready }),
      ...(webSearch && canSearchWeb && { webSearch }),
    }
    draft.write('')
    const giveFilesBack = attachments.take()
    try {
      await onSend(content, options)
    } catch (error) {
      draft.giveBack(draft.text)
      giveFilesBack()
      notifyError(error)
    }
  }

  return {
    webSearch,
    setWebSearch,
    canSend,
    /** How many characters are too many. */
    excess,
    submit: () => {
      if (!canSend) return
      if (attachments.hasFailed) notify('Some files could not be uploaded. Remove them to send the rest.', 'error')
      else void send()
    },
  }
}
