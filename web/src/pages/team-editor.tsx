import { MessageSquare } from 'lucide-react'
import { Link, useParams } from 'wouter'
import { isGone } from '@/api/errors'
import { FormSkeleton } from '@/components/forms/section'
import { Page } from '@/components/layout/page'
import { TeamForm } from '@/components/teams/team-form'
import { buttonClass } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { ErrorState } from '@/components/ui/error-state'
import { BackLink, TextLink } from '@/components/ui/text-link'
import { useHiredAgents } from '@/hooks/use-agent-lists'
import { usePermissions } from '@/hooks/use-permissions'
import { useTeam } from '@/hooks/use-teams'
import { useFollowInto } from '@/hooks/use-workspace'
import { words as common } from '@/words/en/common'
import { words } from '@/words/en/teams'
import { rich } from '@/words/rich'

export default function TeamEditorPage() {
  const { id } = useParams<{ id?: string }>()
  const { mayChange } = usePermissions()
  const team = useTeam(id)
  const agents = useHiredAgents()
  const readOnly = team.data !== undefined && !mayChange(team.data)
  const isFollowing = useFollowInto(team.data?.workspace_id)
  const isLoaded = !isFollowing && agents.data !== undefined && (id === undefined || team.data !== undefined)
  const error = team.error ?? agents.error
  return (
    <Page
      title={team.data?.name ?? (id === undefined ? words.newTeam : common.team)}
      description={readOnly ? words.onlyWhoeverMadeItAdmins : <BackLink to="/agents/teams">{words.teams}</BackLink>}
      actions={
        team.data && (
          <Link to={`/agents/teams/${team.data.id}`} className={buttonClass('secondary', 'md', 'shrink-0')}>
            <MessageSquare aria-hidden className="size-4" />
            {common.chat}
          </Link>
        )
      }
    >
      {isGone(team.error) ? (
        <EmptyState icon="🤝" title={words.thereIsNoSuchTeam}>
          {rich(words.itMayHaveBeenDeleted, { link: (label) => <TextLink to="/agents/teams">{label}</TextLink> })}
        </EmptyState>
      ) : error && !isLoaded ? (
        <ErrorState
          title={words.theTeamCouldNotBe}
          error={error}
          retrying={team.isFetching || agents.isFetching}
          onRetry={() => void Promise.all([id === undefined ? undefined : team.refetch(), agents.refetch()])}
        />
      ) : !isLoaded ? (
        <FormSkeleton what="team" />
      ) : (
        <TeamForm key={id} team={team.data} agents={agents.data} readOnly={readOnly} />
      )}
    </Page>
  )
}
