import { clsx } from 'clsx'
import { CircleAlert, CircleStop, FileText, Image, Pencil, RefreshCw } from 'lucide-react'
import { memo, useRef, useState } from 'react'
import type { Attachment, ForkPoint } from '@/api/types'
import type { AgentMessage as Message, AgentMessage } from '@/chat/types'
import { AgentAvatar } from '@/components/agents/agent-avatar'
import { CopyButton } from '@/components/ui/copy'
import { IconButton } from '@/components/ui/icon-button'
import { fileSize } from '@/lib/amounts'
import { clockTime, dateAndTime } from '@/lib/when'
import { words } from '@/words/en/chat'
import { words as common } from '@/words/en/common'
import { say } from '@/words/say'
import { useChatScene } from './chat-context'
import { ForkButton } from './fork-button'
import { type OnDemand, onDemand } from './load-on-demand'
import { MessageParts } from './message-parts'
import { SignInNotice } from './sign-in-notice'
import { UsageButton } from './usage-button'
import { VersionPager } from './version-pager'

interface MessageProps {
  message: Message
  /** Another spoke before: say who this is. */
  introduces: boolean
  /** A person chose this agent, and it says its greeting: nobody asked for an answer. */
  greets: boolean
  /** Where this message is one of several versions. */
  versions: ForkPoint | undefined
  /** Among the newest: what can be done with it is shown without being asked for. */
  recent: boolean
  /** Nothing came after it. */
  last: boolean
  /** On its way: the server may not have it, so nothing can be made of it yet. */
  pending: boolean
  /** Of the last turn, where it is known: how the answer came about. */
  taskId: string | undefined
}

/** One message, the same while it streams and when it is finished. */
export const MessageView = memo(function MessageView(props: MessageProps) {
  const { role, imported } = props.message
  return (
    <>
      {imported === true && <p className="mb-2 text-center text-xs text-muted">{words.imported}</p>}
      {role === 'user' ? <UserMessage {...props} /> : <AgentMessageView {...props} />}
    </>
  )
})

/** What an agent said and did. */
function AgentMessageView({ message, introduces, greets, versions, recent, last, taskId }: MessageProps) {
  const { agents, can, actions, signInPath } = useChatScene()
  const known = agents.find(({ id }) => id === message.agentId)
  const name = message.agentName ?? known?.name ?? words.agent
  const live = message.status === 'streaming'
  const isQuiet = live && message.parts.length === 0
  return (
    <article aria-label={say(words.said, { name })} className="group/message grid grid-cols-[2rem_minmax(0,1fr)] gap-x-3">
      {introduces && (
        <>
          <AgentAvatar
            size="sm"
            agent={{ slug: known?.slug ?? message.agentId, avatar_url: message.avatarUrl ?? known?.avatarUrl ?? null }}
          />
          <div className="mb-1.5 flex min-w-0 items-baseline gap-2 leading-8">
            <h2 dir="auto" className="truncate text-sm leading-8 font-semibold">{name}</h2>
            <MessageTime at={message.createdAt} />
          </div>
        </>
      )}
      {/* On phones the words have the whole width, under the name. */}
      <div className="col-span-2 min-w-0 sm:col-span-1 sm:col-start-2">
        <div className="grid grid-cols-1 gap-3 text-[0.9375rem]">
          <MessageParts message={message} taskId={can.usage ? taskId : undefined} />
          {isQuiet && <TypingDots />}
          {!last && <CutNote message={message} />}
          {signInPath !== undefined && wasRefusedHandoff(message) && <SignInNotice path={signInPath} />}
        </div>
        {!live && (
          <div className={clsx('mt-1 -ml-1.5 flex min-h-7 flex-wrap items-center gap-0.5', !recent && versions === undefined && ON_HOVER)}>
            {message.content !== '' && <CopyButton text={message.content} label={words.copyMessage} />}
            {can.fork && !greets && (
              <ForkButton
                messageId={message.id}
                label={words.regenerate}
                onConfirm={() => actions.regenerate(message.id)}
              >
                <RefreshCw aria-hidden className="size-4" />
              </ForkButton>
            )}
            {can.usage && message.usage !== undefined && (
              <UsageButton usage={message.usage} model={message.model} taskId={taskId} />
            )}
            {versions !== undefined && <VersionPager point={versions} />}
            {!introduces && <MessageTime at={message.createdAt} />}
          </div>
        )}
      </div>
    </article>
  )
}

/** An agent would have handed off to one that is for people with an account. */
function wasRefusedHandoff({ parts }: Message): boolean {
  return parts.some((part) => part.type === 'tool-call' && part.state === 'error' && codeOf(part.result) === 'sign_in_required')
}

function codeOf(result: unknown): unknown {
  return typeof result === 'object' && result !== null && 'code' in result ? result.code : undefined
}

/** What the person said. */
function UserMessage({ message, versions, recent, pending }: MessageProps) {
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
    <article aria-label={words.youSaid} className="group/message flex flex-col items-end">
      <h2 className="sr-only">{common.you}</h2>
      {message.attachments.length > 0 && <AttachmentList attachments={message.attachments} />}
      <p dir="auto" className="max-w-[85%] rounded-2xl rounded-br-md bg-subtle px-4 py-2.5 text-[0.9375rem] leading-relaxed whitespace-pre-wrap wrap-anywhere sm:max-w-[75%]">
        {message.content}
      </p>
      <div className={clsx('mt-1 flex min-h-7 items-center gap-0.5', !recent && versions === undefined && ON_HOVER)}>
        <MessageTime at={message.createdAt} />
        {versions !== undefined && <VersionPager point={versions} />}
        <CopyButton text={message.content} label={words.copyMessage} />
        {can.fork && !pending && (
          <IconButton
            ref={editButton}
            label={words.editMessage}
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

/** Seen when its message is pointed at or has the focus; always where there is no pointer. */
const ON_HOVER =
  'pointer-fine:opacity-0 group-hover/message:opacity-100 group-focus-within/message:opacity-100 transition-opacity'

/** That an earlier answer did not come to its end. Under the last one, the end of the turn says more. */
function CutNote({ message }: { message: AgentMessage }) {
  if (message.status !== 'stopped' && message.status !== 'failed') return null
  const Icon = message.status === 'stopped' ? CircleStop : CircleAlert
  return (
    <p className="flex items-start gap-2 text-sm text-muted">
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span className="min-w-0 wrap-anywhere">
        {message.status === 'stopped' ? words.stopped : (message.error?.message ?? words.answerNotFinished)}
      </span>
    </p>
  )
}

/** When it was said. The day is told where it changes, and by pointing at it. */
function MessageTime({ at }: { at: Date }) {
  const iso = at.toISOString()
  return (
    <time dateTime={iso} title={dateAndTime(iso)} className="shrink-0 px-1 text-xs text-muted">
      {clockTime(at)}
    </time>
  )
}

/** Nothing said yet. Readers are told by the status of the chat. */
export function TypingDots() {
  return (
    <span aria-hidden className="flex h-7 items-center gap-1">
      {['[animation-delay:0ms]', '[animation-delay:160ms]', '[animation-delay:320ms]'].map((delay) => (
        <span key={delay} className={`size-1.5 animate-pulse rounded-full bg-muted ${delay}`} />
      ))}
    </span>
  )
}

/** Files that were sent along. */
function AttachmentList({ attachments }: { attachments: readonly Attachment[] }) {
  return (
    <ul aria-label={words.attachments} className="mb-1.5 flex max-w-[85%] flex-wrap justify-end gap-1.5">
      {attachments.map(({ id, name, mediaType, size }) => {
        const Icon = mediaType.startsWith('image/') ? Image : FileText
        return (
          <li key={id} className="flex max-w-full">
            <a
              href={`/api/attachments/${id}`}
              target="_blank"
              rel="noopener noreferrer"
              className="flex min-w-0 items-center gap-2 rounded-lg border border-border bg-surface px-2.5 py-1.5 text-sm hover:bg-subtle"
            >
              <Icon aria-hidden className="size-4 shrink-0 text-muted" />
              <span dir="auto" className="truncate">{name}</span>
              <span className="shrink-0 text-xs text-muted">{fileSize(size)}</span>
            </a>
          </li>
        )
      })}
    </ul>
  )
}
