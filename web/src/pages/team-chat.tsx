import { useMemo, useRef, useState } from 'react'
import { Link, useParams } from 'wouter'
import { isGone } from '@/api/errors'
import type { Team } from '@/api/types'
import { Chat } from '@/components/chat/chat'
import { MEMBER_ABILITIES } from '@/components/chat/chat-abilities'
import { type ChatAgent, fromMember, useChatAgents } from '@/components/chat/chat-agent'
import { SettingsLink } from '@/components/chat/chat-header'
import { ChatSkeleton } from '@/components/chat/chat-states'
import { HistoryPanel } from '@/components/chat/history-panel'
import { stagesOf } from '@/components/chat/pipeline'
import { PipelineStrip } from '@/components/chat/stage-list'
import { TeamPanel } from '@/components/chat/team-panel'
import { notifyError } from '@/components/chat/use-chat-actions'
import { focusBox } from '@/components/chat/use-composer'
import { buttonClass } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { ErrorState } from '@/components/ui/error-state'
import { Sheet } from '@/components/ui/sheet'
import { useAgentChat } from '@/hooks/use-agent-chat'
import { usePageTitle } from '@/hooks/use-browser'
import { useConversationAddress } from '@/hooks/use-conversation-address'
import { useSnapshots } from '@/hooks/use-holders'
import { useSession } from '@/hooks/use-session'
import { useTeam } from '@/hooks/use-teams'
import { useFollowInto, useWorkspace } from '@/hooks/use-workspace'
import { words } from '@/words/en/chat'

/** A chat with a team: the same, with its members or stages beside it. */
export default function TeamChatPage() {
  const { id = '' } = useParams()
  const { agents, isPending } = useChatAgents()
  const team = useTeam(id)
  const isFollowing = useFollowInto(team.data?.workspace_id)
  if (team.isPending || isPending || isFollowing) return <ChatSkeleton />
  if (team.data === undefined) {
    if (isGone(team.error)) return <NoTeam />
    return (
      <ErrorState
        title={words.teamNotLoaded}
        error={team.error}
        retrying={team.isFetching}
        onRetry={() => void team.refetch()}
      />
    )
  }
  return <TeamChat key={id} team={team.data} hired={agents} />
}

function NoTeam() {
  usePageTitle(words.teamNotFound)
  return (
    <EmptyState
      icon="🤝"
      heading="h1"
      title={words.noSuchTeam}
      action={
        <Link to="/agents/teams" className={buttonClass()}>
          {words.allTeams}
        </Link>
      }
    >
      {words.teamMayBeDeleted}
    </EmptyState>
  )
}

function TeamChat({ team, hired }: { team: Team; hired: readonly ChatAgent[] }) {
  const workspace = useWorkspace()
  const { conversationId, open, settle } = useConversationAddress()
  const box = useRef<HTMLTextAreaElement>(null)
  const [drawer, setDrawer] = useState<'history' | 'team' | null>(null)
  const chat = useAgentChat({
    teamId: team.id,
    workspaceId: workspace.id,
    conversationId,
    onConversationCreated: settle,
    onForked: open,
  })
  usePageTitle(chat.title ?? team.name)

  const { tier } = useSession().profile
  const members = useMemo(
    () => team.members.filter(({ is_active }) => is_active).map((member) => fromMember(member, hired, tier)),
    [team.members, hired, tier],
  )
  const firstId = (team.members.find(({ is_default }) => is_default) ?? team.members[0])?.agent_id ?? ''
  const isPipeline = team.kind === 'pipeline'
  const passed = chat.messages.filter(({ parts }) => parts.some(({ type }) => type === 'stage')).length
  const isDeleted = isGone(chat.loadError)
  const snapshots = useSnapshots({
    workspaceId: workspace.id,
    conversationId: isDeleted ? null : chat.conversationId,
    enabled: isPipeline,
    moment: `${passed} ${chat.status}`,
  })
  const stages = stagesOf(team, chat, snapshots)
  const close = (isOpen: boolean) => {
    if (!isOpen) setDrawer(null)
  }
  const startAnew = () => {
    open(null)
  }
  const panel = (
    <TeamPanel
      team={team}
      chat={chat}
      members={members}
      stages={stages}
      snapshots={snapshots}
      onChoose={(agentId) => {
        setDrawer(null)
        // The way to a stage goes away once one is there, and would take the focus along.
        focusBox(box)
        chat.switchAgent(agentId).catch(notifyError)
      }}
    />
  )
  return (
    <div data-fills-screen className="flex min-w-0 grow">
      <Chat
        chat={chat}
        workspaceId={workspace.id}
        agents={members}
        agent={members.find((member) => member.id === firstId) ?? null}
        teamName={team.name}
        starters={team.starters.map(({ text }) => text)}
        hasRouter={team.kind === 'router'}
        isFixed={isPipeline}
        can={MEMBER_ABILITIES}
        draftKey={team.id}
        boxRef={box}
        onOpenConversation={open}
        onNew={startAnew}
        onHistory={() => {
          setDrawer('history')
        }}
        onMembers={() => {
          setDrawer('team')
        }}
        headerActions={<SettingsLink label={words.editTeam} to={`/agents/teams/${team.id}/edit`} />}
        strip={isPipeline && chat.messages.length > 0 ? <PipelineStrip stages={stages} /> : undefined}
      />
      <aside aria-label={team.name} className="hidden w-80 shrink-0 flex-col border-l border-border xl:flex">
        {panel}
      </aside>
      <Sheet side="right" open={drawer === 'team'} onOpenChange={close} title={team.name}>
        <div className="flex min-h-0 grow flex-col pt-8">{panel}</div>
      </Sheet>
      <HistoryPanel
        open={drawer === 'history'}
        onOpenChange={close}
        workspaceId={workspace.id}
        of={{ teamId: team.id }}
        current={{ id: chat.conversationId, familyId: chat.familyId }}
        onNew={startAnew}
        onOpen={({ id }) => {
          open(id)
        }}
      />
    </div>
  )
}
