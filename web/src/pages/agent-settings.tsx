import { MessageSquare } from 'lucide-react'
import { Link, useParams } from 'wouter'
import { isGone } from '@/api/errors'
import { AgentSettingsForm } from '@/components/agent-editor/agent-settings-form'
import { SectionNav } from '@/components/agent-editor/section-nav'
import { FormSkeleton } from '@/components/forms/section'
import { Page } from '@/components/layout/page'
import { buttonClass } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { ErrorState } from '@/components/ui/error-state'
import { BackLink, TextLink } from '@/components/ui/text-link'
import { useAgentDetail, useFollowAgent } from '@/hooks/use-agent-detail'
import { usePermissions } from '@/hooks/use-permissions'
import { useTools } from '@/hooks/use-tools'
import { words } from '@/words/en/agent-editor'
import { words as common } from '@/words/en/common'
import { rich } from '@/words/rich'
import { say } from '@/words/say'

const formSections = () => [
  { id: 'profile', label: words.profile },
  { id: 'instructions', label: common.instructions },
  { id: 'model', label: words.modelAndLimits },
  { id: 'tools', label: common.tools },
  { id: 'access', label: common.access },
  { id: 'advanced', label: words.advanced },
]

const listSections = () => [
  { id: 'skills', label: words.skills },
  { id: 'rules', label: words.rules },
  { id: 'memory', label: words.memory },
]

export default function AgentSettingsPage() {
  const { id } = useParams<{ id: string }>()
  const detail = useAgentDetail(id)
  const { mayLetGo, mayChangeAgent } = usePermissions()
  const agent = detail.data?.localAgent
  const { data: tools = [] } = useTools()
  /** It is decided about tools that people defined, but never about handoffs. */
  const hasDefined = tools.some(({ name, type }) => type !== 'handoff' && agent?.tools.includes(name) === true)
  const isMissing = isGone(detail.error) || (detail.data !== undefined && (!agent || !detail.data.isHired))
  const { isFollowing } = useFollowAgent(id, isMissing)
  return (
    <Page
      title={agent ? say(words.nameSettings, { name: agent.name }) : words.agentSettings}
      description={
        agent && !mayChangeAgent(agent) ? (
          words.youCanLookAtEverything
        ) : (
          <BackLink to="/agents/hired">{common.myAgents}</BackLink>
        )
      }
      actions={
        agent && (
          <Link to={`/agents/${agent.id}`} className={buttonClass('secondary', 'md', 'shrink-0')}>
            <MessageSquare aria-hidden className="size-4" />
            {common.chat}
          </Link>
        )
      }
    >
      {isMissing && !isFollowing ? (
        <EmptyState icon="🫥" title={words.thereIsNoSuchAgent}>
          {rich(words.itMayHaveBeenLetGo, { link: (label) => <TextLink to="/agents/hired">{label}</TextLink> })}
        </EmptyState>
      ) : detail.isLoadingError && !isFollowing ? (
        <ErrorState
          title={words.theAgentCouldNotBe}
          error={detail.error}
          retrying={detail.isFetching}
          onRetry={() => void detail.refetch()}
        />
      ) : !agent || !detail.data ? (
        <FormSkeleton what="agent" />
      ) : (
        <div className="grid gap-6 lg:grid-cols-[9.5rem_minmax(0,1fr)] lg:gap-8">
          <SectionNav
            label={words.sections}
            sections={[
              ...formSections(),
              ...(mayChangeAgent(agent) && hasDefined ? [{ id: 'tool-permissions', label: words.toolPermissions }] : []),
              ...(mayChangeAgent(agent) ? [{ id: 'allow-rules', label: words.withoutAsking }] : []),
              ...listSections(),
              ...(mayLetGo(agent) ? [{ id: 'danger', label: words.letItGo }] : []),
            ]}
          />
          <AgentSettingsForm key={agent.id} detail={detail.data} agent={agent} />
        </div>
      )}
    </Page>
  )
}
