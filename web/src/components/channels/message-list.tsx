// The messages of a channel, the newest at the end and in view; what came since the person was here last begins with a line.
import { Fragment, type ReactNode, type UIEvent } from 'react'
import type { ChannelMessage } from '@/api/types'
import { Button } from '@/components/ui/button'
import { dayWords, startOfDay } from '@/lib/when'
import { words } from '@/words/en/channels'
import { MessageRow } from './message-row'

interface More {
  isThere: boolean
  isLoading: boolean
  load: () => void
}

interface MessageListProps {
  label: string
  messages: readonly ChannelMessage[]
  earlier: More
  later: More
  /** The number of the last message that the person had read; undefined where that doesn't matter. */
  readNumber?: number
  /** The message that was looked for. */
  at?: number
  mayWrite: boolean
  /** Whose own thread is on show has none to open. The same function each time. */
  onThread?: (message: ChannelMessage) => void
  /** Above the first message. */
  children?: ReactNode
}

/** How near to its beginning the list reads earlier messages. */
const NEAR = 200

export function MessageList({ label, messages, earlier, later, readNumber, at, mayWrite, onThread, children }: MessageListProps) {
  const firstNew = readNumber === undefined ? undefined : messages.find(({ number }) => number > readNumber)?.number
  const scroll = ({ currentTarget: view }: UIEvent<HTMLDivElement>) => {
    // The list begins at its end, so its place is counted downwards from there.
    const aboveView = view.scrollHeight - view.clientHeight + view.scrollTop
    if (aboveView < NEAR && earlier.isThere && !earlier.isLoading) earlier.load()
  }
  return (
    <div
      // Turned round, it stays at its end when messages come in, and where it is when earlier ones do.
      className="flex min-h-0 grow flex-col-reverse overflow-y-auto overscroll-contain"
      role="log"
      aria-label={label}
      tabIndex={0}
      onScroll={scroll}
    >
      <div className="grid gap-0.5 pb-2">
        {earlier.isThere && <MoreButton words={words.earlierMessages} {...earlier} />}
        {!earlier.isThere && children}
        {messages.map((message, index) => (
          <Fragment key={message.id}>
            {isOtherDay(messages[index - 1], message) && <Line>{dayWords(new Date(message.created_at))}</Line>}
            {message.number === firstNew && index > 0 && <Line isNew>{words.newSinceYouWereHere}</Line>}
            <div ref={message.number === at ? showOnce : undefined} className={message.number === at ? 'rounded-lg bg-warning-subtle/60' : undefined}>
              <MessageRow message={message} mayWrite={mayWrite} onThread={onThread} />
            </div>
          </Fragment>
        ))}
        {later.isThere && <MoreButton words={words.laterMessages} {...later} />}
      </div>
    </div>
  )
}

function MoreButton({ words: text, isLoading, load }: More & { words: string }) {
  return (
    <Button variant="ghost" size="sm" className="mx-auto my-1" pending={isLoading} onClick={load}>
      {text}
    </Button>
  )
}

function Line({ isNew = false, children }: { isNew?: boolean; children: ReactNode }) {
  const color = isNew ? 'text-danger before:bg-danger/40 after:bg-danger/40' : 'text-muted before:bg-border after:bg-border'
  return (
    <p className={`my-1 flex items-center gap-3 px-2 text-xs font-medium before:h-px before:grow after:h-px after:grow ${color}`}>
      {children}
    </p>
  )
}

function isOtherDay(before: ChannelMessage | undefined, { created_at }: ChannelMessage): boolean {
  return before === undefined || startOfDay(new Date(before.created_at)) !== startOfDay(new Date(created_at))
}

const shown = new WeakSet<Element>()

/** Brings the message that was looked for into view, when it comes; afterwards people scroll. */
function showOnce(element: HTMLDivElement | null): void {
  if (element === null || shown.has(element)) return
  shown.add(element)
  element.scrollIntoView({ block: 'center' })
}
