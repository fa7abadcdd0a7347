import { X } from 'lucide-react'
import type { QueuedMessage } from '@/chat/types'
import { Button } from '@/components/ui/button'
import { counted } from '@/lib/text'
import { IconButton } from './icon-button'

interface QueuedMessagesProps {
  queued: readonly QueuedMessage[]
  onRemove: (id: string) => void
  /** They don't go by themselves: the first was refused. */
  onSend?: () => Promise<void>
}

/** What the person wrote during a turn, and what is sent when it ends. */
export function QueuedMessages({ queued, onRemove, onSend }: QueuedMessagesProps) {
  if (queued.length === 0) return null
  return (
    <section aria-label="Waiting to be sent" className="grid justify-items-end gap-2">
      <h2 className="text-xs text-muted">{onSend ? 'Not sent' : 'Sent when the answer is finished'}</h2>
      {queued.map(({ id, content, attachments }) => (
        <div
          key={id}
          className="flex max-w-[85%] items-center gap-1 rounded-2xl rounded-br-md border border-dashed border-control px-4 py-2 text-[0.9375rem]"
        >
          <p className="line-clamp-6 min-w-0 whitespace-pre-wrap text-muted wrap-anywhere">
            {content}
            {attachments.length > 0 && ` (${counted(attachments.length, 'file')})`}
          </p>
          <IconButton
            label="Remove"
            className="-mr-2"
            onClick={() => {
              onRemove(id)
            }}
          >
            <X aria-hidden className="size-4" />
          </IconButton>
        </div>
      ))}
      {onSend && (
        <Button size="sm" variant="secondary" onClick={() => void onSend()}>
          Send again
        </Button>
      )}
    </section>
  )
}
