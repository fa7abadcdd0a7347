import { CloudOff, MessageCircleOff } from 'lucide-react'
import { isGone } from '@/api/errors'
import type { UseAgentChatReturn } from '@/chat/types'
import { AgentAvatar } from '@/components/agents/agent-avatar'
import { Button, Spinner } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { ErrorState } from '@/components/ui/error-state'
import { Skeleton } from '@/components/ui/skeleton'
import { words } from '@/words/en/chat'
import { words as common } from '@/words/en/common'
import type { ChatAgent } from './chat-agent'

interface ChatEmptyProps {
  agent: ChatAgent | null
  /** Texts of first messages. */
  starters: readonly string[]
  onStart: (text: string) => void
}

/** Before the first message. */
export function ChatEmpty({ agent, starters, onStart }: ChatEmptyProps) {
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col items-center gap-4 px-4 pt-8 pb-6 text-center">
      {agent !== null && <AgentAvatar agent={{ slug: agent.slug, avatar_url: agent.avatarUrl }} />}
      <h2 className="text-2xl font-semibold tracking-tight text-balance sm:text-3xl">{words.emptyHeading}</h2>
      {agent?.initialPrompt && (
        <p dir="auto" className="max-w-xl text-[0.9375rem] text-pretty whitespace-pre-line text-muted wrap-anywhere">
          {agent.initialPrompt}
        </p>
      )}
      <Starters texts={starters} onChoose={onStart} />
    </div>
  )
}

/** First messages that an agent or a team offers; a press sends one. */
export function Starters({ texts, onChoose }: { texts: readonly string[]; onChoose: (text: string) => void }) {
  if (texts.length === 0) return null
  return (
    <ul aria-label={words.starters} className="flex w-full max-w-xl flex-col gap-2">
      {texts.map((text) => (
        <li key={text}>
          <button
            dir="auto"
            type="button"
            className="w-full rounded-xl border border-border bg-surface px-4 py-2.5 text-start text-sm text-pretty wrap-anywhere hover:bg-subtle"
            onClick={() => {
              onChoose(text)
            }}
          >
            {text}
          </button>
        </li>
      ))}
    </ul>
  )
}

/** A conversation that is being read. */
export function ChatSkeleton() {
  return (
    <div role="status" className="mx-auto grid w-full max-w-3xl grow content-start gap-8 px-4 pt-8 sm:px-6">
      <span className="sr-only">{words.loadingConversation}</span>
      <Skeleton className="ml-auto h-11 w-56 rounded-2xl" />
      <div className="flex gap-3">
        <Skeleton className="size-8 shrink-0 rounded-xl" />
        <div className="grid grow gap-2.5 pt-2">
          <Skeleton className="h-4 w-32" />
          <Skeleton className="h-4 w-full" />
          <Skeleton className="h-4 w-4/5" />
        </div>
      </div>
    </div>
  )
}

interface LoadFailureProps {
  chat: UseAgentChatReturn
  onNew: () => void
}

/** Stands in place of a conversation that could not be read, or was deleted, perhaps while it was open here. */
export function LoadFailure({ chat, onNew }: LoadFailureProps) {
  const { loadError, isLoading, reload } = chat
  if (!isGone(loadError)) {
    return <ErrorState title={words.conversationNotLoaded} error={loadError} onRetry={reload} retrying={isLoading} />
  }
  return (
    <div role="alert">
      <EmptyState
        icon={<MessageCircleOff className="size-6" />}
        title={words.conversationGone}
        action={<Button onClick={onNew}>{words.newConversation}</Button>}
      >
        {words.conversationGoneHint}
      </EmptyState>
    </div>
  )
}

/** Where more would have come. */
export function NotLoaded({ onRetry }: { onRetry: () => void }) {
  return (
    <p role="alert" className="flex items-center justify-center gap-1 text-sm text-muted">
      {words.couldNotBeLoaded} ·
      <Button variant="ghost" size="sm" onClick={onRetry}>
        {common.tryAgain}
      </Button>
    </p>
  )
}

/** Shown while what happens on the server can't be seen. */
export function ConnectionBanner({ connection }: { connection: UseAgentChatReturn['connection'] }) {
  if (connection === 'online') return null
  return (
    <div data-connection className="flex items-center justify-center gap-2 border-b border-border bg-warning-subtle px-4 py-1.5 text-sm text-warning">
      {connection === 'offline' ? <CloudOff aria-hidden className="size-4" /> : <Spinner />}
      {connection === 'offline' ? words.offlineBanner : words.reconnecting}
    </div>
  )
}
