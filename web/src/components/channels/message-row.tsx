// One message: who wrote it, for whom if an agent did, its text, and what can be done with it.
import { Bot, MessageSquareReply, Pencil, Trash2 } from 'lucide-react'
import { lazy, memo, Suspense, useState } from 'react'
import type { ChannelMessage } from '@/api/types'
import { Avatar } from '@/components/ui/avatar'
import { Badge } from '@/components/ui/badge'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { IconButton } from '@/components/ui/icon-button'
import { deleteMessage, editMessage, useRefreshChannels } from '@/hooks/use-channels'
import { useSession } from '@/hooks/use-session'
import { ago, clockTime, dateAndTime } from '@/lib/when'
import { words } from '@/words/en/channels'
import { words as common } from '@/words/en/common'
import { say } from '@/words/say'
import { MessageComposer } from './message-composer'

const MessageMarkdown = lazy(() => import('./message-markdown'))

interface MessageRowProps {
  message: ChannelMessage
  mayWrite: boolean
  /** Left out within a thread. The same function each time, or every row is drawn again. */
  onThread?: (message: ChannelMessage) => void
}

/** Drawn again only if something about the message changed: whenever one comes in, all of a page are read again. */
export const MessageRow = memo(Row, (before, now) => {
  const fields = Object.keys(now.message) as (keyof ChannelMessage)[]
  return before.mayWrite === now.mayWrite && before.onThread === now.onThread && fields.every((field) => before.message[field] === now.message[field])
})

function Row({ message, mayWrite, onThread }: MessageRowProps) {
  const { profile } = useSession()
  const [isEditing, setEditing] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  const [deleteButton, setDeleteButton] = useState<HTMLElement | null>(null)
  const refresh = useRefreshChannels()
  const isThere = message.deleted_at === null
  const isOwn = message.profile_id === profile.id
  const author = message.agent ?? message.author ?? words.someoneWhoLeft
  return (
    <article aria-label={say(words.messageBy, { author, when: dateAndTime(message.created_at) })} className="group relative flex gap-x-3 rounded-lg px-2 py-1.5 focus-within:bg-subtle/60 hover:bg-subtle/60 pointer-coarse:flex-wrap">
      {message.agent_id === null ? (
        <Avatar name={author} />
      ) : (
        <span aria-hidden className="flex size-8 shrink-0 items-center justify-center rounded-full bg-subtle text-muted">
          <Bot className="size-4.5" />
        </span>
      )}
      <div className="min-w-0 grow basis-0">
        <p className="flex flex-wrap items-baseline gap-x-2 text-sm">
          <span dir="auto" className="font-semibold wrap-anywhere">{author}</span>
          {message.agent_id !== null && (
            <>
              <Badge>{words.agent}</Badge>
              <span className="text-xs text-muted">{agentsPerson(message)}</span>
            </>
          )}
          <time dateTime={message.created_at} title={dateAndTime(message.created_at)} className="text-xs text-muted">
            {clockTime(new Date(message.created_at))}
          </time>
          {message.edited_at !== null && isThere && <span title={dateAndTime(message.edited_at)} className="text-xs text-muted">{words.edited}</span>}
        </p>
        {isEditing ? (
          <div className="mt-1">
            <MessageComposer
              label={words.edit}
              initial={message.text}
              action={words.save}
              isFocused
              onCancel={() => { setEditing(false) }}
              onSend={async (text) => {
                await editMessage(message, text)
                await refresh()
                setEditing(false)
              }}
            />
          </div>
        ) : isThere ? (
          <Suspense fallback={<p dir="auto" className="text-sm whitespace-pre-wrap wrap-anywhere">{message.text}</p>}>
            <MessageMarkdown text={message.text} />
          </Suspense>
        ) : (
          <p className="text-sm text-muted italic">{words.wasDeleted}</p>
        )}
        {message.replies > 0 && onThread !== undefined && (
          <button type="button" className="mt-0.5 rounded-sm text-xs font-medium text-brand hover:underline pointer-coarse:min-h-9" onClick={() => { onThread(message) }}>
            {say(words.replies, { count: message.replies })}
            {message.last_reply_at !== null && <span className="font-normal text-muted"> · {say(words.lastReply, { when: ago(message.last_reply_at) })}</span>}
          </button>
        )}
      </div>
      {mayWrite && isThere && !isEditing && (
        <div className="absolute -top-2 right-2 flex rounded-md border border-border bg-surface opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:static pointer-coarse:basis-full pointer-coarse:border-transparent pointer-coarse:bg-transparent pointer-coarse:ps-9 pointer-coarse:opacity-100">
          {onThread !== undefined && (
            <IconButton label={words.reply} onClick={() => { onThread(message) }}>
              <MessageSquareReply aria-hidden className="size-4" />
            </IconButton>
          )}
          {isOwn && message.agent_id === null && (
            <IconButton label={words.edit} onClick={() => { setEditing(true) }}>
              <Pencil aria-hidden className="size-4" />
            </IconButton>
          )}
          {isOwn && (
            <IconButton ref={setDeleteButton} label={words.deleteMessage} onClick={() => { setDeleting(true) }}>
              <Trash2 aria-hidden className="size-4" />
            </IconButton>
          )}
        </div>
      )}
      {isDeleting && (
        <ConfirmDialog
          title={words.deleteTitle}
          description={words.deleteHint}
          action={common.delete}
          opener={deleteButton}
          onClose={() => { setDeleting(false) }}
          onConfirm={async () => {
            await deleteMessage(message)
            await refresh()
          }}
        />
      )}
    </article>
  )
}

function agentsPerson({ author, approved_by: approver }: ChannelMessage): string {
  const name = author ?? words.someoneWhoLeft
  return approver === null || approver === author ? say(words.forPerson, { name }) : say(words.forPersonAllowedBy, { name, approver })
}
