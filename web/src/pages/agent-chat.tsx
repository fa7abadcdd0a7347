import { type ReactNode, useState } from 'react'
import { Redirect, useLocation, useParams } from 'wouter'
import { Chat } from '@/components/chat/chat'
import { canSearchWeb, MEMBER_ABILITIES, MEMBER_SEARCH_ABILITIES } from '@/components/chat/chat-abilities'
import { useChatAgents, useHolderGone } from '@/components/chat/chat-agent'
import { SettingsLink } from '@/components/chat/chat-header'
import { ChatSkeleton } from '@/components/chat/chat-states'
import { HistoryPanel } from '@/components/chat/history-panel'
import { ErrorState } from '@/components/ui/error-state'
import { useAgentChat } from '@/hooks/use-agent-chat'
import { usePageTitle } from '@/hooks/use-browser'
import { useConversationAddress } from '@/hooks/use-conversation-address'
import { useWorkspace } from '@/hooks/use-workspace'
import { words } from '@/words/en/chat'
import { words as common } from '@/words/en/common'

interface AgentChatPageProps {
  /** In its place where that agent isn't here, unless a conversation with it is asked for. */
  missing: (conversation?: ReactNode) => ReactNode
}

/** A chat that began with one agent. Others may have taken it over since. */
export default function AgentChatPage({ missing }: AgentChatPageProps) {
  const { id = '' } = useParams()
  const { agents, hired, data, isPending, isError, error, refetch, isFetching, isFetchedAfterMount } = useChatAgents()
  const { conversationId } = useConversationAddress()
  const record = hired.find((agent) => agent.localAgentId === id || agent.id === id)
  const agentId = record?.localAgentId ?? null
  if (isError && agentId === null && (data === undefined || conversationId === null)) {
    return <ErrorState title={words.agentNotLoaded} error={error} retrying={isFetching} onRetry={() => void refetch()} />
  }
  // A list from before it was hired doesn't say that it isn't. An open conversation stays open while the list is read again.
  if (isPending || (isFetching && agentId === null && conversationId === null)) return <ChatSkeleton />
  const isWhole = data !== undefined && data.total <= data.agents.length && (isFetchedAfterMount || !isFetching)
  const chatWith = (known: string) => (
    <AgentChat key={known} agentId={known} canSearch={record !== undefined && canSearchWeb(record)} agents={agents} isWhole={isWhole} />
  )
  if (agentId !== null) return chatWith(agentId)
  return missing(conversationId === null ? undefined : chatWith(id))
}

interface AgentChatProps {
  agentId: string
  canSearch: boolean
  agents: ReturnType<typeof useChatAgents>['agents']
  /** Who isn't among them doesn't work here. */
  isWhole: boolean
}

function AgentChat({ agentId, canSearch, agents, isWhole }: AgentChatProps) {
  const workspace = useWorkspace()
  const [, navigate] = useLocation()
  const { conversationId, open, settle } = useConversationAddress()
  const [historyOpen, setHistoryOpen] = useState(false)
  const agent = agents.find((one) => one.id === agentId) ?? null
  const chat = useAgentChat({
    agentId,
    workspaceId: workspace.id,
    conversationId,
    onConversationCreated: settle,
    onForked: open,
  })
  const departed = useHolderGone({ chat, workspaceId: workspace.id, agents: isWhole ? agents : null })
  usePageTitle(chat.title ?? agent?.name ?? common.chat)
  const holderId = chat.active?.agentId ?? agentId
  const startAnew = () => {
    // Nothing new begins with an agent that is gone.
    if (departed !== undefined) navigate(departed.next ? `/agents/${departed.next.id}` : '/agents')
    else if (agent === null) navigate(`/agents/${holderId}`)
    else open(null)
  }
  if (chat.teamId !== null && chat.conversationId !== null) {
    return <Redirect to={`/agents/teams/${chat.teamId}?conversation=${chat.conversationId}`} replace />
  }
  return (
    <div data-fills-screen className="flex min-w-0 grow">
      <Chat
        chat={chat}
        workspaceId={workspace.id}
        agents={agents}
        agent={agent}
        can={canSearch ? MEMBER_SEARCH_ABILITIES : MEMBER_ABILITIES}
        draftKey={agentId}
        departed={departed}
        onChoose={(chosen) => {
          navigate(`/agents/${chosen}`)
        }}
        onOpenConversation={open}
        onNew={startAnew}
        onHistory={() => {
          setHistoryOpen(true)
        }}
        headerActions={departed === undefined && <SettingsLink label={words.agentSettings} to={`/agents/${holderId}/settings`} />}
      />
      <HistoryPanel
        open={historyOpen}
        onOpenChange={setHistoryOpen}
        workspaceId={workspace.id}
        of={{ agentId }}
        current={{ id: chat.conversationId, familyId: chat.familyId }}
        onNew={startAnew}
        onOpen={({ id, team_id }) => {
          if (team_id === null) open(id)
          else navigate(`/agents/teams/${team_id}?conversation=${id}`)
        }}
      />
    </div>
  )
}
