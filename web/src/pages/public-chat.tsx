import { useParams } from 'wouter'
import { isGone } from '@/api/errors'
import { Splash } from '@/components/layout/brand'
import { NobodyHere } from '@/components/public/public-bar'
import { PublicConversation } from '@/components/public/public-conversation'
import { PublicProblem } from '@/components/public/public-problem'
import { usePublicWorkspace } from '@/hooks/use-public-workspace'
import { useSessionQuery } from '@/hooks/use-session'

/** A workspace's chat for people who aren't in it, with or without an account. */
export default function PublicChatPage() {
  const { slug = '' } = useParams()
  const workspace = usePublicWorkspace(slug)
  const session = useSessionQuery()
  if (workspace.data === undefined) return workspace.isPending ? <Splash /> : <PublicProblem query={workspace} />
  if (isGone(workspace.error)) return <PublicProblem query={workspace} />
  // Who looks decides what is shown, so it must be known first.
  if (session.isPending) return <Splash />
  const person = session.data ?? null
  if (workspace.data.agents.length === 0) return <NobodyHere workspace={workspace.data} session={person} />
  return <PublicConversation key={person?.profile.id} workspace={workspace.data} session={person} />
}
