import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import type { UseAgentChatReturn } from '@/chat/types'
import { ErrorState } from '../error-state'
import type { ChatAgent } from './chat-agent'
import { ChatContext, type ChatAbilities, type ChatScene } from './chat-context'
import { ChatEmpty } from './chat-empty'
import { ChatFoot } from './chat-foot'
import { ChatHeader } from './chat-header'
import { ChatSkeleton } from './chat-skeleton'
import { ChatStatus } from './chat-status'
import { Composer } from './composer'
import { ConnectionBanner } from './connection-banner'
import { DropZone } from './drop-zone'
import { MessageList } from './message-list'
import { prefetchMarkdown } from './text-part'
import { useAttachments } from './use-attachments'
import { useChatActions } from './use-chat-actions'
import { useKeyboardInset } from './use-keyboard-inset'
import { useStopKey } from './use-stop-key'
import { VersionsContext } from './versions-context'

export interface ChatProps {
  chat: UseAgentChatReturn
  workspaceId: string
  /** Who can be chosen, including those that this person may not use. One alone: there is no choice. */
  agents: readonly ChatAgent[]
  /** Who answers first. */
  agent: ChatAgent | null
  teamName?: string
  /** A team whose router chooses who answers. */
  hasRouter?: boolean
  can: ChatAbilities & { webSearch: boolean }
  draft: [text: string, setText: (text: string) => void]
  /** Chosen before there is a conversation. */
  onChoose: (agentId: string) => void
  onOpenConversation: (id: string) => void
  onNew: () => void
  /** None: this person has no history. */
  onHistory?: () => void
  /** Opens what stands beside the chat on wide screens. */
  onMembers?: () => void
  /** For visitors: where they sign in, and come back from. */
  signInPath?: string
  onSignIn?: () => void
  /** Between the header and the messages. */
  strip?: ReactNode
  /** In the header. */
  headerActions?: ReactNode
}

/** A conversation with agents, whole: it fills the height it is given and knows nothing of what is around it. */
export function Chat(props: ChatProps) {
  const { chat, workspaceId, agents, agent, can, draft, strip, signInPath } = props
  const box = useRef<HTMLTextAreaElement>(null)
  const attachments = useAttachments(workspaceId)
  const actions = useChatActions(chat, props.onOpenConversation)
  const inset = useKeyboardInset()
  const [warned, setWarned] = useState(false)
  useStopKey(chat.isStreaming, chat.stopGeneration)
  useEffect(prefetchMarkdown, [])

  const scene = useMemo<ChatScene>(() => ({ actions, agents, can, signInPath }), [actions, agents, can, signInPath])
  const versions = useMemo(
    () => ({ versions: chat.versions, conversationId: chat.conversationId }),
    [chat.versions, chat.conversationId],
  )
  const holder = agents.find(({ id }) => id === chat.active?.agentId) ?? agent
  const name = holder?.name ?? chat.active?.agentName ?? 'Agent'
  const failed = chat.loadError !== null && chat.messages.length === 0
  const isEmpty = !failed && !chat.isLoading && chat.messages.length === 0 && chat.queued.length === 0

  return (
    <ChatContext value={scene}>
      <VersionsContext value={versions}>
        <DropZone enabled={can.attach} onFiles={attachments.add} bottom={inset}>
          <ChatHeader
            chat={chat}
            agents={agents}
            holder={holder}
            teamName={props.teamName}
            auto={props.hasRouter ? (chat.active?.pinned ? 'off' : 'on') : undefined}
            onChoose={(id) => {
              if (chat.conversationId === null) props.onChoose(id)
              else void chat.switchAgent(id)
              box.current?.focus()
            }}
            onSignIn={() => {
              setWarned(true)
              props.onSignIn?.()
            }}
            onNew={isEmpty ? undefined : props.onNew}
            onHistory={props.onHistory}
            onMembers={props.onMembers}
            actions={props.headerActions}
          />
          <ConnectionBanner connection={chat.connection} />
          {strip}
          {isEmpty && (
            <div className="flex min-h-0 grow-2 flex-col justify-end overflow-y-auto">
              <ChatEmpty agent={holder} />
            </div>
          )}
          {!isEmpty && chat.isLoading && <ChatSkeleton />}
          {failed && (
            <div className="grow">
              <ErrorState
                title="The conversation could not be loaded"
                error={chat.loadError}
                onRetry={chat.reload}
                retrying={chat.isLoading}
              />
            </div>
          )}
          {!isEmpty && !chat.isLoading && !failed && (
            <MessageList chat={chat}>
              <ChatFoot chat={chat} holder={holder} signInPath={warned ? signInPath : undefined} />
            </MessageList>
          )}
          <div className="mx-auto w-full max-w-3xl shrink-0 px-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:px-6 sm:pb-4">
            {chat.isWaiting && (
              <p className="mb-2 text-center text-xs text-muted">
                Writing on instead of deciding rejects what {name} asks for.
              </p>
            )}
            <Composer
              name={name}
              text={draft[0]}
              onText={draft[1]}
              attachments={attachments}
              canAttach={can.attach}
              canSearchWeb={can.webSearch}
              isStreaming={chat.isStreaming}
              onSend={chat.sendMessage}
              onStop={() => {
                chat.stopGeneration()
                box.current?.focus()
              }}
              boxRef={box}
            />
          </div>
          {isEmpty && <div className="grow-3" />}
          <ChatStatus chat={chat} name={name} />
        </DropZone>
      </VersionsContext>
    </ChatContext>
  )
}
