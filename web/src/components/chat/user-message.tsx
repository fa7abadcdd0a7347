import { clsx } from 'clsx'
import { Pencil } from 'lucide-react'
import { useRef, useState } from 'react'
import { AttachmentList } from './attachment-list'
import { useChatScene } from './chat-context'
import { CopyButton } from './copy-button'
import { IconButton } from './icon-button'
import { onDemand, type OnDemand } from './load-on-demand'
import type { MessageProps } from './message'
import { ON_HOVER } from './on-hover'
import { VersionPager } from './version-pager'

/** What the person said. */
export function UserMessage({ message, versions, recent, pending }: MessageProps) {
  const { can } = useChatScene()
  const [editing, setEditing] = useState<OnDemand | null>(null)
  const editButton = useRef<HTMLButtonElement>(null)
  if (editing !== null) {
    return (
      <editing.EditMessage
        message={message}
        onClose={() => {
          setEditing(null)
          // The button comes back with the next paint.
          requestAnimationFrame(() => editButton.current?.focus())
        }}
      />
    )
  }
  return (
    <article aria-label="You said" className="group/message flex flex-col items-end">
      <h2 className="sr-only">You</h2>
      {message.attachments.length > 0 && <AttachmentList attachments={message.attachments} />}
      <p className="max-w-[85%] rounded-2xl rounded-br-md bg-subtle px-4 py-2.5 text-[0.9375rem] leading-relaxed whitespace-pre-wrap wrap-anywhere sm:max-w-[75%]">
        {message.content}
      </p>
      <div className={clsx('mt-1 flex min-h-7 items-center gap-0.5', !recent && versions === undefined && ON_HOVER)}>
        {versions !== undefined && <VersionPager point={versions} />}
        <CopyButton text={message.content} label="Copy message" />
        {can.fork && !pending && (
          <IconButton
            ref={editButton}
            label="Edit message"
            onClick={() => {
              onDemand(setEditing)
            }}
          >
            <Pencil aria-hidden className="size-4" />
          </IconButton>
        )}
      </div>
    </article>
  )
}
