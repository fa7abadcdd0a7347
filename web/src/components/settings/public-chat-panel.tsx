import { Link } from 'wouter'
import type { Agent } from '@/api/types'
import { AgentAvatar } from '@/components/agents/agent-avatar'
import { SectionList, SectionQuery, SettingsSection } from '@/components/forms/section'
import { Badge } from '@/components/ui/badge'
import { buttonClass } from '@/components/ui/button'
import { useAgentDetail } from '@/hooks/use-agent-detail'
import { useHiredAgents } from '@/hooks/use-agent-lists'
import { usePermissions } from '@/hooks/use-permissions'
import { useTiers } from '@/hooks/use-tiers'
import { useWorkspace } from '@/hooks/use-workspace'
import { useWorkspaceSettings } from '@/hooks/use-workspace-settings'
import { words as common } from '@/words/en/common'
import { words } from '@/words/en/settings'
import { say } from '@/words/say'
import { PublicChatForm } from './public-chat-form'

/** The workspace's address for people without an account. */
export function PublicChatPanel() {
  const query = useWorkspaceSettings()
  const { id } = useWorkspace()
  const { isAdmin } = usePermissions()
  return (
    <SectionQuery query={query} what="publicChat">
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
  const hasTiers = useTiers()
  const order = ['visitors', 'guests', 'premium']
  const sorted = [...(agents.data ?? [])].sort((a, b) => order.indexOf(publicAccess(a)) - order.indexOf(publicAccess(b)))
  return (
    <SettingsSection
      title={words.whoAnswersThere}
      description={hasTiers ? words.whoAnswersThereWithTiers : words.whoAnswersThereDescription}
    >
      <SectionList query={agents} what="agents" isEmpty={sorted.length === 0} empty={words.noAgentsAreHiredYet}>
        {sorted.map((agent) => (
          <PublicAgentRow key={agent.id} agent={agent} />
        ))}
      </SectionList>
    </SettingsSection>
  )
}

const WHO = words.who

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
        aria-label={say(words.accessOfName, { name: agent.name })}
        className={buttonClass('ghost', 'sm', 'shrink-0')}
      >
        {common.access}
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
      {isPending ? words.loadingTools : tools.length === 0 ? words.noPublicTools : say(words.publicToolsTools, { tools: tools.join(', ') })}
    </p>
  )
}

type Gate = Pick<Agent, 'is_default' | 'is_restricted' | 'role'>

/** Who can choose an agent at the public address: everyone, people with an account, or those with a premium one. */
export function publicAccess({ is_default, is_restricted, role }: Gate): 'visitors' | 'guests' | 'premium' {
  if (is_restricted) return 'premium'
  return is_default || role === 'support' ? 'visitors' : 'guests'
}
