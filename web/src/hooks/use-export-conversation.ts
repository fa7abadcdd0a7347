import { useMutation } from '@tanstack/react-query'
import { messageOf } from '@/api/errors'
import type { Conversation } from '@/api/types'
import { exportConversation, type ExportFormat } from '@/chat/export/export-conversation'
import { download } from '@/lib/download'
import { notify } from '@/lib/toasts'

/** Saves a conversation as a file. */
export function useExportConversation(conversation: Conversation) {
  return useMutation({
    mutationFn: async (format: ExportFormat) => {
      download(await exportConversation(conversation, format))
    },
    onSuccess: () => {
      notify('The conversation is exported.')
    },
    onError: (error) => {
      notify(messageOf(error), 'error')
    },
  })
}
