import { Link } from 'wouter'
import type { Agent } from '@/api/types'
import { AgentAvatar } from '@/components/agents/agent-avatar'
import { Badge } from '@/components/ui/badge'
import { buttonClass } from '@/components/ui/button-class'
import { useAgentDetail } from '@/hooks/use-agent-detail'
import { publicAccess } from './public-access'

const WHO = { visitors: 'Visitors', guests: 'After sign-in', premium: 'Premium only' } as const

export function PublicAgentRow({ agent }: { agent: Agent }) {
  const id = agent.localAgentId ?? agent.id
  const access = publicAccess(agent)
  return (
    <li className="flex items-center gap-3 py-3 text-sm first:pt-0 last:pb-0">
      <AgentAvatar agent={agent} size="sm" />
      <div className="min-w-0 grow">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="max-w-full truncate font-medium">{agent.name}</span>
          <Badge tone={access === 'visitors' ? 'brand' : 'neutral'}>{WHO[access]}</Badge>
        </p>
        {access === 'visitors' && <PublicTools agentId={id} />}
      </div>
      <Link
        to={`/agents/${id}/settings#access`}
        aria-label={`Access of ${agent.name}`}
        className={buttonClass('ghost', 'sm', 'shrink-0')}
      >
        Access
      </Link>
    </li>
  )
}

/** Only for the few whom anyone reaches: lists of agents don't have it, so each of these is a request of its own. */
function PublicTools({ agentId }: { agentId: string }) {
  const { data: detail, isPending } = useAgentDetail(agentId)
  const tools = detail?.localAgent?.public_tools ?? []
  return (
    <p className="text-muted wrap-anywhere">
      {isPending ? 'Loading tools…' : tools.length === 0 ? 'No public tools' : `Public tools: ${tools.join(', ')}`}
    </p>
  )
}
