import { Link } from 'wouter'
import type { Agent } from '@/api/types'
import { AgentAvatar } from '@/components/agents/agent-avatar'
import { SectionList, SectionQuery, SettingsSection } from '@/components/forms/section'
import { Badge } from '@/components/ui/badge'
import { buttonClass } from '@/components/ui/button'
import { useAgentDetail } from '@/hooks/use-agent-detail'
import { useHiredAgents } from '@/hooks/use-agent-lists'
import { usePermissions } from '@/hooks/use-permissions'
import { useWorkspace } from '@/hooks/use-workspace'
import { useWorkspaceSettings } from '@/hooks/use-workspace-settings'
import { PublicChatForm } from './public-chat-form'

/** The workspace's address for people without an account. */
export function PublicChatPanel() {
  const query = useWorkspaceSettings()
  const { id } = useWorkspace()
  const { isAdmin } = usePermissions()
  return (
    <SectionQuery query={query} what="public chat">
      {(settings) => (
        <>
          <PublicChatForm key={id} settings={settings} readOnly={!isAdmin} />
          <PublicAgents />
        </>
      )}
    </SectionQuery>
  )
}

/** Whom people at the public address can talk to, and what those can do there. */
function PublicAgents() {
  const agents = useHiredAgents()
  const order = ['visitors', 'guests', 'premium']
  const sorted = [...(agents.data ?? [])].sort((a, b) => order.indexOf(publicAccess(a)) - order.indexOf(publicAccess(b)))
  return (
    <SettingsSection
      title="Who answers there"
      description="Visitors reach the default agent and those whose role is “support”. People who sign in reach all but premium-only agents. An agent has only its public tools there, never memory, knowledge or messages; which they are is said under Access."
    >
      <SectionList query={agents} what="agents" isEmpty={sorted.length === 0} empty="No agents are hired yet.">
        {sorted.map((agent) => (
          <PublicAgentRow key={agent.id} agent={agent} />
        ))}
      </SectionList>
    </SettingsSection>
  )
}

const WHO = { visitors: 'Visitors', guests: 'After sign-in', premium: 'Premium only' } as const

function PublicAgentRow({ agent }: { agent: Agent }) {
  const id = agent.localAgentId ?? agent.id
  const access = publicAccess(agent)
  return (
    <li className="flex items-center gap-3 py-3 text-sm first:pt-0 last:pb-0">
      <AgentAvatar agent={agent} size="sm" />
      <div className="min-w-0 grow">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span dir="auto" className="max-w-full truncate font-medium">{agent.name}</span>
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

type Gate = Pick<Agent, 'is_default' | 'is_restricted' | 'role'>

/** Who can choose an agent at the public address: everyone, people with an account, or those with a premium one. */
export function publicAccess({ is_default, is_restricted, role }: Gate): 'visitors' | 'guests' | 'premium' {
  if (is_restricted) return 'premium'
  return is_default || role === 'support' ? 'visitors' : 'guests'
}
