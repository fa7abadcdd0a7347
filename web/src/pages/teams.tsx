import { Plus } from 'lucide-react'
import { Link } from 'wouter'
import { Page } from '@/components/layout/page'
import { PackTeams } from '@/components/teams/pack-teams'
import { TeamGridSkeleton, TeamList } from '@/components/teams/team-list'
import { buttonClass } from '@/components/ui/button'
import { ErrorState } from '@/components/ui/error-state'
import { usePacks, useTeams } from '@/hooks/use-teams'
import { words } from '@/words/en/teams'

export default function TeamsPage() {
  const teams = useTeams()
  const packs = usePacks()
  return (
    <Page
      title={words.teams}
      description={words.teamsDescription}
      actions={
        <Link to="/agents/teams/new" className={buttonClass('primary', 'md', 'shrink-0')}>
          <Plus aria-hidden className="size-4" />
          {words.newTeam}
        </Link>
      }
    >
      {teams.isError ? (
        <ErrorState
          title={words.theTeamsCouldNotBe}
          error={teams.error}
          retrying={teams.isFetching}
          onRetry={() => void teams.refetch()}
        />
      ) : teams.data === undefined ? (
        <TeamGridSkeleton />
      ) : (
        <>
          <section aria-labelledby="teams">
            <h2 id="teams" className="sr-only">
              {words.teamsOfThisWorkspace}
            </h2>
            <TeamList teams={teams.data} />
          </section>
          <PackTeams packs={packs.data ?? []} />
        </>
      )}
    </Page>
  )
}
