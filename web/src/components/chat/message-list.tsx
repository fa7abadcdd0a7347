import { ArrowDown } from 'lucide-react'
import { Fragment, type ReactNode, useEffect, useMemo, useRef } from 'react'
import { type Marks, marksByMessage } from '@/chat/switch-marks'
import type { AgentMessage, UseAgentChatReturn } from '@/chat/types'
import { Button, Spinner } from '@/components/ui/button'
import { dayWords, startOfDay } from '@/lib/when'
import { words } from '@/words/en/chat'
import { words as common } from '@/words/en/common'
import { NotLoaded } from './chat-states'
import { SwitchLine } from './handoff-marker'
import { MessageView } from './message'
import { useFollowScroll } from './use-follow-scroll'
import { useShownMessages } from './use-shown-messages'

interface MessageListProps {
  chat: UseAgentChatReturn
  /** Below the last message. */
  children: ReactNode
}

/** The conversation, scrolling on its own. */
export function MessageList({ chat, children }: MessageListProps) {
  const { messages, versions, conversationId, sessionId, hasOlder, isLoadingOlder, loadOlder } = chat
  const { scroller, content, isAway, toLatest } = useFollowScroll(conversationId, messages.length > 0)
  const older = useShownMessages({ messages, hasOlder, isLoadingOlder, loadOlder, scroller })
  const { shown, hasMore, top, showRecent } = older
  const marks = useMemo(() => marksByMessage(chat.switches), [chat.switches])
  const points = useMemo(() => new Map(versions.map((point) => [point.message_id, point])), [versions])

  // Whoever is back at the end needs what lies far above it no more, and the browser is spared thousands of boxes.
  const wasAway = useRef(false)
  useEffect(() => {
    if (wasAway.current && !isAway) showRecent()
    wasAway.current = isAway
  }, [isAway, showRecent])

  // Whoever sends a message wants to see what comes of it. One that waited is sent under the id that it had in the queue.
  const last = chat.status === 'connecting' ? messages.at(-1) : undefined
  const outgoing = [...chat.queued, ...(last?.role === 'user' ? [last] : [])].map(({ id }) => id).join(' ')
  const known = useRef<Set<string> | null>(null)
  useEffect(() => {
    const ids = outgoing.split(' ')
    const isNew = known.current !== null && outgoing !== '' && ids.some((id) => !known.current?.has(id))
    known.current = new Set([...(known.current ?? []), ...ids])
    if (isNew) toLatest()
  }, [outgoing, toLatest])

  return (
    <div className="relative min-h-0 grow">
      <div
        ref={scroller}
        tabIndex={0}
        role="region"
        aria-label={common.conversation}
        className="h-full overflow-y-auto overscroll-contain [scrollbar-gutter:stable] focus-visible:-outline-offset-2"
      >
        <div ref={content} className="mx-auto w-full max-w-3xl space-y-5 px-4 pt-6 pb-8 sm:px-6">
          {hasMore && (
            <div ref={top} className="flex justify-center py-2 text-sm text-muted">
              {older.hasFailed ? (
                <NotLoaded onRetry={older.tryAgain} />
              ) : (
                <>
                  <Spinner />
                  <span className="sr-only">{words.loadingOlderMessages}</span>
                </>
              )}
            </div>
          )}
          {shown.map((message, index) => (
            <Fragment key={message.id}>
              <DayLine of={message} before={shown[index - 1]} isFirst={index === 0 && !hasMore} />
              <div
                data-message={message.id}
                // A message in view, or near it, is laid out; of the others only the height counts.
                className="[contain-intrinsic-size:auto_8rem] [content-visibility:auto]"
              >
                <MessageView
                  message={message}
                  introduces={introduces(message, shown[index - 1])}
                  greets={greets(message, shown[index - 1], marks, hasMore)}
                  versions={points.get(message.id)}
                  recent={index >= shown.length - 2}
                  last={index === shown.length - 1}
                  pending={chat.status === 'connecting' && index === shown.length - 1}
                  taskId={message.taskId ?? (message.status === 'streaming' ? (sessionId ?? undefined) : undefined)}
                />
              </div>
              <SwitchLine mark={marks.get(message.id)} />
            </Fragment>
          ))}
          {children}
        </div>
      </div>
      {isAway && (
        <Button
          variant="secondary"
          size="sm"
          className="absolute inset-x-0 bottom-3 mx-auto w-fit animate-fade-in rounded-full! shadow-float"
          onClick={toLatest}
        >
          <ArrowDown aria-hidden className="size-4" />
          {words.jumpToLatest}
        </Button>
      )}
    </div>
  )
}

interface DayLineProps {
  of: AgentMessage
  before: AgentMessage | undefined
  /** Nothing came before it. */
  isFirst: boolean
}

/** Where another day begins; above the first message only if that was not today. */
function DayLine({ of: { createdAt }, before, isFirst }: DayLineProps) {
  const earlier = before?.createdAt ?? (isFirst ? new Date() : createdAt)
  if (startOfDay(createdAt) === startOfDay(earlier)) return null
  return (
    <p className="flex items-center gap-3 text-xs text-muted before:h-px before:grow before:bg-border after:h-px after:grow after:bg-border">
      <time dateTime={createdAt.toISOString()} className="first-letter:uppercase">{dayWords(createdAt)}</time>
    </p>
  )
}

function introduces(message: AgentMessage, before: AgentMessage | undefined): boolean {
  return before === undefined || before.role !== message.role || before.agentId !== message.agentId
}

/** Nobody asked: an agent speaks first, or right after a person chose it. */
function greets({ role, agentId, taskId, usage }: AgentMessage, before: AgentMessage | undefined, marks: Marks, hasMore: boolean): boolean {
  if (role === 'user' || taskId !== undefined || usage !== undefined) return false
  if (before === undefined) return !hasMore
  const mark = marks.get(before.id)
  return mark?.by === 'user' && mark.to === agentId
}
