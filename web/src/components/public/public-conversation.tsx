import { useMemo, useState } from 'react'
import type { PublicWorkspace, Session } from '@/api/types'
import { Chat } from '@/components/chat/chat'
import { VISITOR_ABILITIES } from '@/components/chat/chat-abilities'
import { HistoryPanel } from '@/components/chat/history-panel'
import { SignInNotice } from '@/components/chat/sign-in-notice'
import { useAgentChat } from '@/hooks/use-agent-chat'
import { usePageTitle } from '@/hooks/use-page-title'
import { withReturnPath } from '@/lib/return-path'
import { useLive } from '@/live/use-live'
import { beginning, fromPublic } from './public-agent'
import { PublicBar } from './public-bar'
import { PublicChoices } from './public-choices'
import { useClosing } from './use-closing'
import { usePublicAddress } from './use-public-address'

interface PublicConversationProps {
  workspace: PublicWorkspace
  /** Null for visitors. */
  session: Session | null
}

/** The chat of visitors and guests. */
export function PublicConversation({ workspace, session }: PublicConversationProps) {
  const address = usePublicAddress()
  const [isHistoryOpen, setIsHistoryOpen] = useState(false)
  const begin = beginning(workspace, address)
  const { agentId, teamId } = begin
  const opened = useAgentChat({
    ...(teamId === undefined ? { agentId } : { teamId }),
    workspaceId: workspace.id,
    conversationId: address.conversationId,
    onConversationCreated: address.settle,
    onForked: address.open,
  })
  const chat = useClosing(workspace.slug, opened)
  // Notices are for members; others look for themselves.
  useLive(session?.workspaces.some(({ id }) => id === workspace.id) ? workspace.id : null)
  usePageTitle(chat.title ?? workspace.name)

  const agents = useMemo(() => workspace.agents.map(fromPublic), [workspace.agents])
  const team = workspace.teams.find(({ id }) => id === (teamId ?? chat.teamId))
  const here = chat.conversationId === null ? `/w/${workspace.slug}${window.location.search}` : address.conversationPath(chat.conversationId)
  const signInPath = withReturnPath('/sign-in', here)
  const startAnew = () => {
    address.open(null)
  }
  const isRefused = begin.isRefused && address.conversationId === null
  return (
    <div data-fills-screen className="flex h-dvh min-w-0 flex-col">
      <PublicBar workspace={workspace} session={session} signInPath={signInPath} />
      <main id="main" tabIndex={-1} className="flex min-h-0 grow outline-none">
        <Chat
          chat={chat}
          workspaceId={workspace.id}
          agents={agents}
          agent={agents.find(({ id }) => id === agentId) ?? null}
          teamName={team?.name}
          hasRouter={team?.kind === 'router'}
          can={VISITOR_ABILITIES}
          draftKey={teamId ?? agentId ?? workspace.id}
          signInPath={session === null ? signInPath : undefined}
          onChoose={(agent) => {
            address.choose({ agent })
          }}
          onOpenConversation={address.open}
          onNew={startAnew}
          onHistory={() => {
            setIsHistoryOpen(true)
          }}
          strip={
            address.conversationId === null && chat.messages.length === 0 ? (
              <>
                {isRefused && session === null && (
                  <div className="mx-auto mt-3 w-full max-w-3xl px-3 sm:px-6">
                    <SignInNotice path={signInPath} />
                  </div>
                )}
                <PublicChoices workspace={workspace} beginning={begin} onChoose={address.choose} />
              </>
            ) : undefined
          }
        />
      </main>
      <HistoryPanel
        open={isHistoryOpen}
        onOpenChange={setIsHistoryOpen}
        workspaceId={workspace.id}
        of={teamId === undefined ? { agentId: agentId ?? '' } : { teamId }}
        current={{ id: chat.conversationId, familyId: chat.familyId }}
        onNew={startAnew}
        onOpen={({ id }) => {
          address.open(id)
        }}
      />
    </div>
  )
}
