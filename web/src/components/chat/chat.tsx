import { clsx } from 'clsx'
import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { ApiError, isGone } from '@/api/errors'
import type { UseAgentChatReturn } from '@/chat/types'
import { Tooltips } from '@/components/ui/tooltip'
import { words } from '@/words/en/chat'
import { say } from '@/words/say'
import { DropZone } from './attachments'
import type { ChatAgent, HolderGone } from './chat-agent'
import { type ChatAbilities, ChatContext, type ChatScene, useDraftKey } from './chat-context'
import { ChatFoot } from './chat-foot'
import { ChatHeader } from './chat-header'
import { useKeyboardInset, useStopKey } from './chat-keyboard'
import { ChatEmpty, ChatSkeleton, ConnectionBanner, LoadFailure } from './chat-states'
import { ChatStatus } from './chat-status'
import { Composer } from './composer'
import { DemoModel } from './demo-model'
import { prefetchOnDemand } from './load-on-demand'
import { MessageList } from './message-list'
import { prefetchMarkdown } from './message-parts'
import { SignInNotice } from './sign-in-notice'
import { useAttachments } from './use-attachments'
import { notifyError, useChatActions } from './use-chat-actions'
import { focusBox, useComposerFocus, useComposerText } from './use-composer'
import { VersionsContext } from './version-pager'

/** What is only shown on demand is fetched when the chat can be used. */
const LATER_MS = 1_000

export interface ChatProps {
  chat: UseAgentChatReturn
  workspaceId: string
  /** Who can be chosen, including those that this person may not use. One alone: there is no choice. */
  agents: readonly ChatAgent[]
  /** Who answers first. */
  agent: ChatAgent | null
  /** Who held the conversation isn’t available any more. */
  departed?: HolderGone
  teamName?: string
  /** Texts of first messages that the team offers, in place of its agents' own. */
  starters?: readonly string[]
  /** A team whose router chooses who answers. */
  hasRouter?: boolean
  can: ChatAbilities & { webSearch: boolean; /** The most characters of a message. */ longest: number }
  /** Names what is written before there is a conversation: an agent's or a team's id. */
  draftKey: string
  /** Instead of beginning a conversation by the choice of an agent. */
  onChoose?: (agentId: string) => void
  /** Who answers is chosen elsewhere, as beside a pipeline. */
  isFixed?: boolean
  /** Where one writes, for what stands beside the chat. */
  boxRef?: RefObject<HTMLTextAreaElement | null>
  onOpenConversation: (id: string) => void
  onNew: () => void
  /** None: this person has no history. */
  onHistory?: () => void
  /** Opens what stands beside the chat on wide screens. */
  onMembers?: () => void
  /** For visitors: where they sign in, and come back from. */
  signInPath?: string
  /** Between the header and the messages. */
  strip?: ReactNode
  /** In the header. */
  headerActions?: ReactNode
}

/** A conversation with agents, whole: it fills the height it is given and knows nothing of what is around it. */
export function Chat(props: ChatProps) {
  const { chat, workspaceId, agents, agent, can, strip, signInPath, departed } = props
  const ownBox = useRef<HTMLTextAreaElement>(null)
  const box = props.boxRef ?? ownBox
  const place = useDraftKey({
    newKey: props.draftKey,
    conversationId: chat.conversationId,
    hasMessages: chat.messages.length > 0,
  })
  const attachments = useAttachments({ workspaceId, place, canAttach: can.attach })
  const draft = useComposerText(place)
  useComposerFocus(box, chat.conversationId)
  const actions = useChatActions(chat, props.onOpenConversation)
  const inset = useKeyboardInset()
  const [isRefused, setIsRefused] = useState(false)
  useStopKey({ isStreaming: chat.isStreaming, isWaiting: chat.isWaiting, boxRef: box, onStop: chat.stopGeneration })
  useEffect(() => {
    prefetchMarkdown()
    const timer = setTimeout(prefetchOnDemand, LATER_MS)
    return () => {
      clearTimeout(timer)
    }
  }, [])

  const scene = useMemo<ChatScene>(
    () => ({ actions, agents, can, signInPath }),
    [actions, agents, can, signInPath],
  )
  const versions = useMemo(
    () => ({ versions: chat.versions, conversationId: chat.conversationId }),
    [chat.versions, chat.conversationId],
  )
  const holder = departed === undefined ? (agents.find(({ id }) => id === chat.active?.agentId) ?? agent) : null
  const name = holder?.name ?? chat.active?.agentName ?? words.agent
  const auto = !props.hasRouter ? undefined : chat.active?.pinned ? 'off' : 'on'
  const gone = isGone(chat.loadError)
  const failed = gone || (chat.loadError !== null && chat.messages.length === 0)
  const isEmpty = !failed && !chat.isLoading && chat.messages.length === 0 && chat.queued.length === 0

  async function choose(id: string): Promise<void> {
    setIsRefused(false)
    focusBox(box)
    try {
      if (chat.conversationId === null && props.onChoose !== undefined) props.onChoose(id)
      else await chat.switchAgent(id)
    } catch (error) {
      if (error instanceof ApiError && error.code === 'sign_in_required' && signInPath !== undefined) setIsRefused(true)
      else notifyError(error)
    }
  }

  return (
    <ChatContext value={scene}>
      <VersionsContext value={versions}>
        <Tooltips>
          <DropZone enabled={can.attach} onFiles={attachments.add} bottom={inset}>
            <ChatHeader
              chat={chat}
              agents={agents}
              holder={holder}
              teamName={props.teamName}
              isDeparted={departed !== undefined}
              auto={auto}
              isFixed={gone || (props.isFixed ?? false)}
              onChoose={(id) => void choose(id)}
              onNew={isEmpty ? undefined : props.onNew}
              onHistory={props.onHistory}
              onMembers={props.onMembers}
              actions={props.headerActions}
            />
            <ConnectionBanner connection={chat.connection} />
            {strip}
            {isEmpty && (
              <div className="flex min-h-0 grow-2 flex-col justify-end overflow-y-auto">
                <ChatEmpty
                  agent={holder}
                  starters={props.starters?.length ? props.starters : (holder?.starters ?? [])}
                  onStart={(text) => {
                    chat.sendMessage(text).catch(notifyError)
                  }}
                />
                {isRefused && signInPath !== undefined && (
                  <div className="mx-auto mb-3 w-full max-w-3xl px-3 sm:px-6">
                    <SignInNotice path={signInPath} />
                  </div>
                )}
              </div>
            )}
            {!isEmpty && chat.isLoading && <ChatSkeleton />}
            {failed && (
              <div className="grow">
                <LoadFailure chat={chat} onNew={props.onNew} />
              </div>
            )}
            {!isEmpty && !chat.isLoading && !failed && (
              <MessageList chat={chat}>
                <ChatFoot chat={chat} holder={holder} onSwitch={choose} signInPath={isRefused ? signInPath : undefined} />
              </MessageList>
            )}
            <div className={clsx('shrink-0', !isEmpty && 'overflow-y-hidden [scrollbar-gutter:stable]')}>
              <div className="mx-auto w-full max-w-3xl px-3 pt-1 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:px-6 sm:pb-4">
                {chat.isWaiting && !gone && (
                  <p className="mb-2 text-center text-xs text-balance text-muted">
                    {say(words.writingRejects, { name })}
                  </p>
                )}
                {departed !== undefined && !chat.isSubtask && (
                  <p className="mb-2 text-center text-xs text-balance text-muted">
                    {say(words.isNotAvailable, { name })} {departed.next && say(words.nextMessageGoesTo, { name: departed.next.name })}
                    {departed.next === null && words.nobodyAnswers}
                  </p>
                )}
                {gone ? null : chat.isSubtask ? (
                  <p className="rounded-xl bg-subtle px-4 py-3 text-center text-sm text-muted">
                    {words.readOnly}
                  </p>
                ) : (
                  <Composer
                    name={auto === 'on' ? (props.teamName ?? name) : (departed?.next?.name ?? name)}
                    isRouted={auto === 'on' && !props.isFixed}
                    place={place}
                    draft={draft}
                    attachments={attachments}
                    canAttach={can.attach}
                    canSearchWeb={can.webSearch}
                    longest={can.longest}
                    isStreaming={chat.isStreaming}
                    isWaiting={chat.isWaiting}
                    onSend={chat.sendMessage}
                    onStop={() => {
                      chat.stopGeneration()
                      focusBox(box)
                    }}
                    boxRef={box}
                  />
                )}
                {can.usage && !gone && <DemoModel />}
              </div>
            </div>
            {isEmpty && <div className="grow-3" />}
            <ChatStatus chat={chat} name={name} />
          </DropZone>
        </Tooltips>
      </VersionsContext>
    </ChatContext>
  )
}
