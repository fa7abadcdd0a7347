import { useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { keys } from '@/api/query-client'
import { deleteTeam } from '@/api/teams'
import type { Team } from '@/api/types'
import { ItemMenu } from '@/components/forms/item-menu'
import { buttonClass } from '@/components/ui/button-class'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { EmptyState } from '@/components/ui/empty-state'
import { usePermissions } from '@/hooks/use-permissions'
import { useWorkspace } from '@/hooks/use-workspace'
import { notify } from '@/lib/toasts'
import { TeamCard } from './team-card'
import { TEAM_GRID } from './team-grid-class'

/** The workspace's teams. */
export function TeamList({ teams }: { teams: readonly Team[] }) {
  const workspace = useWorkspace()
  const queryClient = useQueryClient()
  const { mayChange } = usePermissions()
  const [deleting, setDeleting] = useState<{ team: Team; opener: HTMLElement | null } | null>(null)
  if (teams.length === 0) {
    return (
      <EmptyState
        icon="🤝"
        title="No teams yet"
        action={
          <Link to="/agents/teams/new" className={buttonClass('secondary')}>
            <Plus aria-hidden className="size-4" />
            Create a team
          </Link>
        }
      >
        Agents in a team hand work to each other. Hire one that is ready below, or make your own.
      </EmptyState>
    )
  }
  return (
    <>
      <ul className={TEAM_GRID}>
        {teams.map((team) => (
          <li key={team.id} className="flex min-w-0">
            <TeamCard
              team={team}
              menu={
                mayChange(team) ? (
                  <ItemMenu
                    name={team.name}
                    path={`/agents/teams/${team.id}/edit`}
                    onDelete={(opener) => {
                      setDeleting({ team, opener })
                    }}
                  />
                ) : undefined
              }
            />
          </li>
        ))}
      </ul>
      {deleting && (
        <ConfirmDialog
          title={`Delete ${deleting.team.name}?`}
          description="Its agents and conversations stay."
          opener={deleting.opener}
          onClose={() => {
            setDeleting(null)
          }}
          onConfirm={async () => {
            await deleteTeam(deleting.team.id)
            await Promise.all([
              queryClient.invalidateQueries({ queryKey: keys.teams(workspace.id) }),
              queryClient.invalidateQueries({ queryKey: keys.packs(workspace.id) }),
            ])
            notify(`${deleting.team.name} is deleted.`)
          }}
        />
      )}
    </>
  )
}
