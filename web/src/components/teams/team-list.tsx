import { useQueryClient } from '@tanstack/react-query'
import { MessageSquare, Plus } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { Link } from 'wouter'
import { keys } from '@/api/query-client'
import type { Team } from '@/api/types'
import { AgentAvatar } from '@/components/agents/agent-avatar'
import { ItemMenu } from '@/components/forms/row-menu'
import { buttonClass } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { EmptyState } from '@/components/ui/empty-state'
import { Skeleton } from '@/components/ui/skeleton'
import { usePermissions } from '@/hooks/use-permissions'
import { deleteTeam } from '@/hooks/use-teams'
import { useWorkspace } from '@/hooks/use-workspace'
import { notify } from '@/lib/toasts'
import { words as common } from '@/words/en/common'
import { words } from '@/words/en/teams'
import { say } from '@/words/say'
import { KindBadge } from './team-kind'

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
        title={words.noTeamsYet}
        action={
          <Link to="/agents/teams/new" className={buttonClass('secondary')}>
            <Plus aria-hidden className="size-4" />
            {words.createATeam}
          </Link>
        }
      >
        {words.agentsInATeamHand}
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
          title={say(words.deleteName, { name: deleting.team.name })}
          description={words.itsAgentsAndConversationsStay}
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
            notify(say(words.nameIsDeleted, { name: deleting.team.name }))
          }}
        />
      )}
    </>
  )
}

/** A team of the workspace. */
function TeamCard({ team, menu }: { team: Team; menu?: ReactNode }) {
  const nameId = useId()
  return (
    <article aria-labelledby={nameId} className="flex min-w-0 grow">
      <Card className="flex min-w-0 grow flex-col p-5 transition-shadow hover:shadow-md">
        <div className="flex items-start justify-between gap-3">
          <div className="min-w-0">
            <h3 id={nameId} dir="auto" className="font-semibold wrap-anywhere">
              {team.name}
            </h3>
            <div className="mt-1.5 flex">
              <KindBadge kind={team.kind} />
            </div>
          </div>
          <div className="-mt-1.5 -mr-2">{menu}</div>
        </div>
        {/* The box grows, not the text: a clamped text that is stretched shows what it should hide. */}
        <div className="mt-3 grow">
          <p dir="auto" className="line-clamp-3 text-sm text-muted wrap-anywhere">{team.description}</p>
        </div>
        <div className="mt-4 flex items-center justify-between gap-3">
          <MemberAvatars members={team.members} />
          <Link
            to={`/agents/teams/${team.id}`}
            className={buttonClass('secondary', 'md', 'shrink-0')}
            aria-label={say(words.chatWithName, { name: team.name })}
          >
            <MessageSquare aria-hidden className="size-4" />
            {common.chat}
          </Link>
        </div>
      </Card>
    </article>
  )
}

const SHOWN = 5

interface Member {
  name: string
  slug: string
  avatar_url: string | null
}

/** The faces of a team, with the names for readers and on hover. */
function MemberAvatars({ members }: { members: readonly Member[] }) {
  const names = members.map(({ name }) => name).join(', ')
  const hidden = members.length - SHOWN
  return (
    <div className="flex items-center" title={names}>
      <span className="sr-only">{say(words.membersNames, { names })}</span>
      <span aria-hidden className="flex -space-x-1.5">
        {members.slice(0, SHOWN).map((member) => (
          <span key={member.slug} className="rounded-xl ring-2 ring-surface">
            <AgentAvatar agent={member} size="sm" />
          </span>
        ))}
      </span>
      {hidden > 0 && (
        <span aria-hidden className="ml-2 text-sm text-muted">
          +{hidden}
        </span>
      )}
    </div>
  )
}

/** How cards of teams stand. */
export const TEAM_GRID = 'grid gap-4 sm:grid-cols-[repeat(auto-fill,minmax(18.5rem,1fr))]'

export function TeamGridSkeleton() {
  return (
    <div role="status">
      <span className="sr-only">{words.loadingTeams}</span>
      <div className={TEAM_GRID}>
        {[1, 2, 3].map((index) => (
          <Card key={index} className="grid gap-3 p-5">
            <Skeleton className="h-5 w-36" />
            <Skeleton className="h-5 w-20" />
            <Skeleton className="h-10 w-full" />
            <Skeleton className="h-11 w-40" />
          </Card>
        ))}
      </div>
    </div>
  )
}
