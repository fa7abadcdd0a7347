import type { ReactNode } from 'react'
import { Link, useParams } from 'wouter'
import { ApiError } from '@/api/errors'
import { REFUSALS } from '@/components/chat/chat-agent'
import { PageSkeleton } from '@/components/layout/page'
import { buttonClass } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { useFollowAgent } from '@/hooks/use-agent-detail'
import { usePageTitle } from '@/hooks/use-browser'
import { words } from '@/words/en/agents'
import NotFoundPage from './not-found'

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/**
 * In place of the chat with an agent that the workspace hasn't hired: it may work in another, or the id is none.
 * `conversation`: what was said with it, which is still to be read.
 */
export default function MissingAgentPage({ conversation }: { conversation?: ReactNode }) {
  const { id = '' } = useParams()
  const isId = UUID.test(id)
  const { isFollowing, error } = useFollowAgent(id, isId, { evenLetGo: conversation !== undefined })
  if (!isId) return <NotFoundPage />
  return isFollowing ? <PageSkeleton /> : (conversation ?? <NoAgent isPremium={error instanceof ApiError && error.code === 'premium_required'} />)
}

function NoAgent({ isPremium }: { isPremium: boolean }) {
  usePageTitle(isPremium ? words.premiumAgent : words.agentNotFound)
  return (
    <EmptyState
      icon="✨"
      heading="h1"
      title={isPremium ? words.thisAgentIsNotOpen : words.thisAgentDoesNotWork}
      action={
        <Link to="/agents/discover" className={buttonClass()}>
          {words.discoverAgents}
        </Link>
      }
    >
      {isPremium ? REFUSALS.premium : words.itMayHaveBeenLet}
    </EmptyState>
  )
}
