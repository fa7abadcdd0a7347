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

const SECTIONS = [
  { id: 'profile', label: 'Profile' },
  { id: 'instructions', label: 'Instructions' },
  { id: 'model', label: 'Model and limits' },
  { id: 'tools', label: 'Tools' },
  { id: 'access', label: 'Access' },
  { id: 'advanced', label: 'Advanced' },
  { id: 'skills', label: 'Skills' },
  { id: 'rules', label: 'Rules' },
  { id: 'memory', label: 'Memory' },
]
/** The first so many are one form. */
const FORM_SECTIONS = 6
const ALLOW_RULES = { id: 'allow-rules', label: 'Without asking' }
const DANGER = { id: 'danger', label: 'Let it go' }

export default function AgentSettingsPage() {
  const { id } = useParams<{ id: string }>()
  const detail = useAgentDetail(id)
  const { mayLetGo, mayChangeAgent } = usePermissions()
  const agent = detail.data?.localAgent
  const isMissing = isGone(detail.error) || (detail.data !== undefined && (!agent || !detail.data.isHired))
  const { isFollowing } = useFollowAgent(id, isMissing)
  return (
    <Page
      title={agent ? `${agent.name} settings` : 'Agent settings'}
      description={
        agent && !mayChangeAgent(agent) ? (
          'You can look at everything here. Whoever made the agent, admins and owners can change it.'
        ) : (
          <BackLink to="/agents/hired">My Agents</BackLink>
        )
      }
      actions={
        agent && (
          <Link to={`/agents/${agent.id}`} className={buttonClass('secondary', 'md', 'shrink-0')}>
            <MessageSquare aria-hidden className="size-4" />
            Chat
          </Link>
        )
      }
    >
      {isMissing && !isFollowing ? (
        <EmptyState icon="🫥" title="There is no such agent here">
          It may have been let go. <TextLink to="/agents/hired">My Agents</TextLink>
        </EmptyState>
      ) : detail.isLoadingError && !isFollowing ? (
        <ErrorState
          title="The agent could not be loaded"
          error={detail.error}
          retrying={detail.isFetching}
          onRetry={() => void detail.refetch()}
        />
      ) : !agent || !detail.data ? (
        <FormSkeleton what="agent" />
      ) : (
        <div className="grid gap-6 lg:grid-cols-[9.5rem_minmax(0,1fr)] lg:gap-8">
          <SectionNav
            label="Sections"
            sections={[
              ...SECTIONS.slice(0, FORM_SECTIONS),
              ...(mayChangeAgent(agent) ? [ALLOW_RULES] : []),
              ...SECTIONS.slice(FORM_SECTIONS),
              ...(mayLetGo(agent) ? [DANGER] : []),
            ]}
          />
          <AgentSettingsForm key={agent.id} detail={detail.data} agent={agent} />
        </div>
      )}
    </Page>
  )
}
