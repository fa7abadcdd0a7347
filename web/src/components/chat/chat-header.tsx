import { History, Pin, Plus, Settings, Shuffle, Users } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { UseAgentChatReturn } from '@/chat/types'
import { AgentAvatar } from '@/components/agents/agent-avatar'
import { Button, buttonClass } from '@/components/ui/button'
import { Tooltip } from '@/components/ui/tooltip'
import { words as texts } from '@/words/en/chat'
import { words as common } from '@/words/en/common'
import { say } from '@/words/say'
import { AgentSelector } from './agent-selector'
import { type ChatAgent, roleWords } from './chat-agent'

interface ChatHeaderProps {
  chat: UseAgentChatReturn
  agents: readonly ChatAgent[]
  /** Who holds the conversation, or would. */
  holder: ChatAgent | null
  /** Who held it isn’t available any more. */
  isDeparted: boolean
  /** Of a conversation with a team. */
  teamName: string | undefined
  auto: 'on' | 'off' | undefined
  isFixed: boolean
  onChoose: (agentId: string) => void
  onNew: (() => void) | undefined
  onHistory: (() => void) | undefined
  onMembers: (() => void) | undefined
  actions?: ReactNode
}

/** Who holds the conversation, and what one does with conversations. */
export function ChatHeader(props: ChatHeaderProps) {
  const { chat, agents, holder, isDeparted, teamName, auto, isFixed, onChoose, onNew, onHistory, onMembers, actions } = props
  const name = holder?.name ?? chat.active?.agentName ?? teamName ?? texts.agent
  const face = (
    <>
      <AgentAvatar size="sm" agent={{ slug: holder?.slug ?? name, avatar_url: holder?.avatarUrl ?? null }} />
      <span className="min-w-0">
        <span dir="auto" className="block truncate text-sm font-semibold">{name}</span>
        <SubLine chat={chat} holder={holder} isDeparted={isDeparted} teamName={teamName} auto={auto} />
      </span>
    </>
  )
  return (
    <header className="flex min-h-14 shrink-0 flex-wrap items-center gap-x-1 border-b border-border px-4 sm:flex-nowrap sm:px-6">
      <h1 className="sr-only">{say(texts.chatWith, { name: teamName ?? name })}</h1>
      {agents.length > (isDeparted ? 0 : 1) && !isFixed ? (
        <AgentSelector
          agents={agents}
          currentId={holder?.id ?? null}
          auto={auto}
          onChoose={onChoose}
        >
          {face}
        </AgentSelector>
      ) : (
        <div className="flex min-w-0 items-center gap-2.5">{face}</div>
      )}
      {chat.title !== null && (
        // On phones a line of its own, below.
        <p
          dir="auto"
          title={chat.title}
          className="order-last -mt-1 min-w-0 basis-full truncate pb-2 text-xs text-muted sm:order-none sm:mt-0 sm:ml-2 sm:basis-0 sm:grow sm:border-l sm:border-border sm:py-1 sm:pl-3 sm:text-sm"
        >
          {chat.title}
        </p>
      )}
      <div className="ml-auto flex shrink-0 items-center">
        {actions}
        {onMembers !== undefined && (
          <HeaderButton label={common.team} className="xl:hidden" onClick={onMembers}>
            <Users aria-hidden className="size-4.5" />
          </HeaderButton>
        )}
        {onNew !== undefined && (
          <HeaderButton label={texts.newConversation} onClick={onNew}>
            <Plus aria-hidden className="size-4.5" />
          </HeaderButton>
        )}
        {onHistory !== undefined && (
          <HeaderButton label={texts.history} onClick={onHistory}>
            <History aria-hidden className="size-4.5" />
          </HeaderButton>
        )}
      </div>
    </header>
  )
}

interface HeaderButtonProps {
  label: string
  className?: string
  onClick: () => void
  children: ReactNode
}

function HeaderButton({ label, className, onClick, children }: HeaderButtonProps) {
  return (
    <Tooltip label={label} side="bottom">
      <Button variant="ghost" size="icon" aria-label={label} className={className} onClick={onClick}>
        {children}
      </Button>
    </Tooltip>
  )
}

/** For the header of a chat: leads to where its agent or team is set up. */
export function SettingsLink({ label, to }: { label: string; to: string }) {
  return (
    <Tooltip label={label} side="bottom">
      <Link to={to} aria-label={label} className={buttonClass('ghost', 'icon')}>
        <Settings aria-hidden className="size-4.5" />
      </Link>
    </Tooltip>
  )
}

function SubLine({ chat, holder, isDeparted, teamName, auto }: Pick<ChatHeaderProps, 'chat' | 'holder' | 'isDeparted' | 'teamName' | 'auto'>) {
  const words = chat.isWaiting
    ? texts.waitingForYourApproval
    : chat.isStreaming
      ? texts.answering
      : isDeparted
        ? texts.notAvailable
        : (teamName ?? (holder === null ? undefined : roleWords(holder)))
  if (words === undefined && auto === undefined) return null
  const Icon = auto === 'on' ? Shuffle : Pin
  return (
    <span className="flex items-center gap-1.5 text-xs text-muted">
      {auto !== undefined && (
        <span className="flex shrink-0 items-center gap-1 text-brand">
          <Icon aria-hidden className="size-3" />
          {auto === 'on' ? texts.auto : texts.pinned}
        </span>
      )}
      <span dir="auto" className="truncate">{words}</span>
    </span>
  )
}
