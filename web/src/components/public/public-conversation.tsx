import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { ApiError, isGone } from '@/api/errors'
import { keys } from '@/api/query-client'
import type { PublicWorkspace, Session } from '@/api/types'
import type { UseAgentChatReturn } from '@/chat/types'
import { Chat } from '@/components/chat/chat'
import { VISITOR_ABILITIES } from '@/components/chat/chat-abilities'
import { HistoryPanel } from '@/components/chat/history-panel'
import { SignInNotice } from '@/components/chat/sign-in-notice'
import { AlreadyTold } from '@/components/chat/use-chat-actions'
import { useAgentChat } from '@/hooks/use-agent-chat'
import { usePageTitle } from '@/hooks/use-browser'
import { withReturnPath } from '@/lib/paths'
import { useLive } from '@/live/use-live'
import { beginning, fromPublic } from './public-agent'
import { PublicBar } from './public-bar'
import { PublicChoices } from './public-choices'

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

/**
 * A chat at a public address, which may be closed while it is open here. A refusal doesn't tell that, so whether the address is
 * still there is asked then. If it isn't, the page says so, and the refusal, which asks to sign in, isn't told.
 */
function useClosing(slug: string, chat: UseAgentChatReturn): UseAgentChatReturn {
  const queryClient = useQueryClient()
  const isClosed = useCallback(async () => {
    const queryKey = keys.publicWorkspace(slug)
    await queryClient.refetchQueries({ queryKey }, { cancelRefetch: false })
    return isGone(queryClient.getQueryState(queryKey)?.error)
  }, [queryClient, slug])

  const refusal = [chat.loadError, chat.error].find(isRefusal)
  useEffect(() => {
    if (refusal !== undefined) void isClosed()
  }, [refusal, isClosed])

  const { sendMessage, retry, switchAgent } = chat
  const watched = useMemo(() => {
    const watch =
      <Args extends unknown[]>(act: (...args: Args) => Promise<void>) =>
      (...args: Args) =>
        act(...args).catch(async (error: unknown) => {
          throw isRefusal(error) && (await isClosed()) ? new AlreadyTold() : error
        })
    return { sendMessage: watch(sendMessage), retry: watch(retry), switchAgent: watch(switchAgent) }
  }, [sendMessage, retry, switchAgent, isClosed])
  return { ...chat, ...watched }
}

function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && [401, 403, 404].includes(error.status)
}

type Choice = { agent: string } | { team: string }

/** What the address of a public chat says: the conversation, or with whom one is to begin. */
function usePublicAddress() {
  const [search] = useSearchParams()
  const [path, navigate] = useLocation()
  const teamId = search.get('team')
  const conversationPath = useCallback(
    (id: string) => `${path}?${new URLSearchParams({ ...(teamId === null ? {} : { team: teamId }), conversation: id }).toString()}`,
    [path, teamId],
  )
  /** A conversation that has just begun takes the place of the empty page. */
  const settle = useCallback(
    (id: string) => {
      navigate(conversationPath(id), { replace: true })
    },
    [navigate, conversationPath],
  )
  const open = useCallback(
    (id: string | null) => {
      navigate(id === null ? path : conversationPath(id))
    },
    [navigate, path, conversationPath],
  )
  /** Someone else to begin with. */
  const choose = useCallback(
    (choice: Choice) => {
      navigate(`${path}?${new URLSearchParams(choice).toString()}`)
    },
    [navigate, path],
  )
  return { conversationId: search.get('conversation'), agentId: search.get('agent'), teamId, conversationPath, open, settle, choose }
}
