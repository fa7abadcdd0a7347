import { ArrowRightLeft, CloudOff, Info, X } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '@/api/errors'
import type { QueuedMessage, UseAgentChatReturn } from '@/chat/types'
import { AgentAvatar } from '@/components/agents/agent-avatar'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { IconButton } from '@/components/ui/icon-button'
import { words } from '@/words/en/chat'
import { words as common } from '@/words/en/common'
import { say } from '@/words/say'
import type { ChatAgent } from './chat-agent'
import { TypingDots } from './message'
import { SignInNotice } from './sign-in-notice'
import { TurnEnd } from './turn-end'

interface ChatFootProps {
  chat: UseAgentChatReturn
  holder: ChatAgent | null
  onSwitch: (agentId: string) => Promise<void>
  /** A visitor has just been refused an agent. */
  signInPath: string | undefined
}

/** What stands under the last message: how the turn ended, what is offered, what waits. */
export function ChatFoot({ chat, holder, onSwitch, signInPath }: ChatFootProps) {
  const { suggestion, isWaiting } = chat
  const isBusy = chat.status === 'connecting' || chat.status === 'streaming'
  const isHeard = chat.messages.at(-1)?.role === 'assistant'
  const isStuck = chat.error !== null && chat.queued.length > 0 && !isBusy && !isWaiting
  const isOnline = chat.connection === 'online'
  return (
    <>
      {chat.status === 'connecting' && !isOnline && (
        <p className="flex items-center justify-end gap-2 text-xs text-muted">
          <CloudOff aria-hidden className="size-3.5 shrink-0" />
          {words.waitingForTheNetwork}
        </p>
      )}
      {isBusy && isOnline && !isHeard && holder !== null && (
        <div className="flex items-center gap-3">
          <AgentAvatar size="sm" agent={{ slug: holder.slug, avatar_url: holder.avatarUrl }} />
          <TypingDots />
        </div>
      )}
      {!isBusy && !isWaiting && (
        <TurnEnd message={chat.messages.at(-1)} endedAs={chat.endedAs} problem={chat.problem} onRetry={chat.retry} />
      )}
      {suggestion !== null && !isBusy && (
        <SwitchOffer
          name={suggestion.agentName}
          onSwitch={() => onSwitch(suggestion.agentId)}
          onDismiss={chat.dismissSuggestion}
        />
      )}
      {signInPath !== undefined && <SignInNotice path={signInPath} />}
      {chat.notice !== null && <Note>{chat.notice}</Note>}
      {isBusy && chat.trouble !== null && <Note>{chat.trouble}</Note>}
      {/* A message that was refused at once is given back to its writer, with the reason. */}
      {chat.error !== null && (chat.isStreaming || isStuck) && <Alert>{messageOf(chat.error)}</Alert>}
      <QueuedMessages queued={chat.queued} onRemove={chat.removeQueued} onSend={isStuck ? chat.sendQueued : undefined} />
    </>
  )
}

function Note({ children }: { children: string }) {
  return (
    <p className="flex items-start gap-2 rounded-lg bg-subtle px-3 py-2 text-sm text-muted">
      <Info aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </p>
  )
}

interface QueuedMessagesProps {
  queued: readonly QueuedMessage[]
  onRemove: (id: string) => void
  /** They don't go by themselves: the first was refused. */
  onSend?: () => Promise<void>
}

/** What the person wrote during a turn, and what is sent when it ends. */
function QueuedMessages({ queued, onRemove, onSend }: QueuedMessagesProps) {
  if (queued.length === 0) return null
  return (
    <section aria-label={words.waitingToBeSent} className="grid justify-items-end gap-2">
      <h2 className="text-xs text-muted">{onSend ? words.notSent : words.sentWhenAnswered}</h2>
      {queued.map(({ id, content, attachments }) => (
        <div
          key={id}
          className="flex max-w-[85%] items-center gap-1 rounded-2xl rounded-br-md border border-dashed border-control px-4 py-2 text-[0.9375rem]"
        >
          <p dir="auto" className="line-clamp-6 min-w-0 whitespace-pre-wrap text-muted wrap-anywhere">
            {content}
            {attachments.length > 0 && ` (${say(words.files, { count: attachments.length })})`}
          </p>
          <IconButton
            label={common.remove}
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
          {words.sendAgain}
        </Button>
      )}
    </section>
  )
}

interface SwitchOfferProps {
  name: string
  onSwitch: () => Promise<void>
  onDismiss: () => void
}

/** An agent said that another would answer, and did not hand off: the person can do it. */
function SwitchOffer({ name, onSwitch, onDismiss }: SwitchOfferProps) {
  const [pending, setPending] = useState(false)
  return (
    <section
      aria-label={words.offeredSwitch}
      className="flex flex-wrap items-center gap-2 rounded-lg border border-brand/25 bg-brand-subtle/60 py-2 pr-2 pl-3 text-sm"
    >
      <ArrowRightLeft aria-hidden className="size-4 shrink-0 text-brand" />
      <p className="min-w-0 grow wrap-anywhere">{say(words.didNotTakeOver, { name })}</p>
      <Button
        size="sm"
        pending={pending}
        onClick={() => {
          setPending(true)
          void onSwitch().finally(() => {
            setPending(false)
          })
        }}
      >
        {say(words.switchTo, { name })}
      </Button>
      <IconButton label={common.dismiss} onClick={onDismiss}>
        <X aria-hidden className="size-4" />
      </IconButton>
    </section>
  )
}
