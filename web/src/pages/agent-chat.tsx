import { Settings } from 'lucide-react'
import { Link, Redirect, useLocation, useParams } from 'wouter'
import { useState, type ReactNode } from 'react'
import { Chat } from '@/components/chat/chat'
import { HistoryPanel } from '@/components/chat/history-panel'
import { canSearchWeb, MEMBER_ABILITIES, MEMBER_SEARCH_ABILITIES } from '@/components/chat/abilities'
import { ChatSkeleton } from '@/components/chat/chat-skeleton'
import { ErrorState } from '@/components/error-state'
import { buttonClass } from '@/components/ui/button-class'
import { useAgentChat } from '@/hooks/use-agent-chat'
import { useChatAgents } from '@/hooks/use-chat-agents'
import { useConversationAddress } from '@/hooks/use-conversation-address'
import { usePageTitle } from '@/hooks/use-page-title'
import { useWorkspace } from '@/hooks/use-workspace'

/** A chat that began with one agent. Others may have taken it over since. `missing`: in its place where that agent isn't here. */
export default function AgentChatPage({ missing }: { missing: ReactNode }) {
  const { id = '' } = useParams()
  const { agents, hired, isPending, isError, error, refetch, isFetching } = useChatAgents()
  const record = hired.find((agent) => agent.localAgentId === id || agent.id === id)
  const agentId = record?.localAgentId ?? null
  if (isError && agentId === null) {
    return <ErrorState title="The agent could not be loaded" error={error} retrying={isFetching} onRetry={() => void refetch()} />
  }
  // A list from before it was hired doesn't say that it isn't.
  if (isPending || (isFetching && agentId === null)) return <ChatSkeleton />
  if (record === undefined || agentId === null) return missing
  return <AgentChat key={agentId} agentId={agentId} canSearch={canSearchWeb(record)} agents={agents} />
}

interface AgentChatProps {
  agentId: string
  canSearch: boolean
  agents: ReturnType<typeof useChatAgents>['agents']
}

function AgentChat({ agentId, canSearch, agents }: AgentChatProps) {
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
  usePageTitle(chat.title ?? agent?.name ?? 'Chat')
  const startAnew = () => {
    open(null)
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
        onChoose={(chosen) => {
          navigate(`/agents/${chosen}`)
        }}
        onOpenConversation={open}
        onNew={startAnew}
        onHistory={() => {
          setHistoryOpen(true)
        }}
        headerActions={
          <Link to={`/agents/${chat.active?.agentId ?? agentId}/settings`} aria-label="Agent settings" className={buttonClass('ghost', 'icon')}>
            <Settings aria-hidden className="size-4.5" />
          </Link>
        }
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
