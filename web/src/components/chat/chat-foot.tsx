import { CloudOff, Info } from 'lucide-react'
import { messageOf } from '@/api/errors'
import type { UseAgentChatReturn } from '@/chat/types'
import { AgentAvatar } from '@/components/agents/agent-avatar'
import { Alert } from '@/components/ui/alert'
import type { ChatAgent } from './chat-agent'
import { QueuedMessages } from './queued-messages'
import { SignInNotice } from './sign-in-notice'
import { SwitchOffer } from './switch-offer'
import { TurnEnd } from './turn-end'
import { TypingDots } from './typing-dots'

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
          Not sent yet: waiting for the network
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
