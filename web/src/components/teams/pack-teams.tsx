import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Check, Plus } from 'lucide-react'
import { useId } from 'react'
import { useLocation } from 'wouter'
import { messageOf } from '@/api/errors'
import { isOfWorkspace } from '@/api/query-client'
import type { Pack, PackTeam } from '@/api/types'
import { AgentAvatar } from '@/components/agents/agent-avatar'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { hirePackTeam } from '@/hooks/use-teams'
import { useWorkspace } from '@/hooks/use-workspace'
import { notify } from '@/lib/toasts'
import { words } from '@/words/en/teams'
import { say } from '@/words/say'
import { KindBadge } from './team-kind'
import { TEAM_GRID } from './team-list'

/** Teams of packs that the workspace has not hired yet. */
export function PackTeams({ packs }: { packs: readonly Pack[] }) {
  const offered = packs.flatMap((pack) => pack.teams.filter((team) => !team.is_hired).map((team) => ({ pack, team })))
  if (offered.length === 0) return null
  return (
    <section aria-labelledby="ready-made" className="mt-10">
      <h2 id="ready-made" className="font-semibold">
        {words.readyToHire}
      </h2>
      <p className="mt-1 mb-4 text-sm text-muted">{words.aTeamComesWithIts}</p>
      <ul className={TEAM_GRID}>
        {offered.map(({ pack, team }) => (
          <li key={`${pack.name}/${team.slug}`} className="flex min-w-0">
            <PackTeamCard pack={pack} team={team} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** A team that a pack offers, with the agents it brings. */
function PackTeamCard({ pack, team }: { pack: Pack; team: PackTeam }) {
  const nameId = useId()
  const workspace = useWorkspace()
  const queryClient = useQueryClient()
  const [, navigate] = useLocation()
  const agents = pack.agents.filter(({ slug }) => team.members.includes(slug))
  const missing = agents.filter(({ is_offered }) => !is_offered)
  const hire = useMutation({
    mutationFn: () => hirePackTeam(workspace.id, pack.name, team.slug),
    onSuccess: async ({ id, name }) => {
      notify(say(words.nameIsHired, { name }))
      // Teams, packs, agents and tools: a team brings all of them.
      await queryClient.invalidateQueries({ predicate: ({ queryKey }) => isOfWorkspace(queryKey, workspace.id) })
      navigate(`/agents/teams/${id}`)
    },
  })
  return (
    <article aria-labelledby={nameId} className="flex min-w-0 grow">
      <Card className="flex min-w-0 grow flex-col p-5">
        <h3 id={nameId} dir="auto" className="font-semibold wrap-anywhere">
          {team.name}
        </h3>
        <div className="mt-1.5 flex">
          <KindBadge kind={team.kind} />
        </div>
        <p dir="auto" className="mt-3 text-sm text-muted wrap-anywhere">{team.description}</p>
        <ul aria-label={words.brings} className="mt-4 grid grow content-start gap-2">
          {agents.map((agent) => (
            <li key={agent.slug} className="flex items-center gap-2.5 text-sm" title={agent.description}>
              <AgentAvatar agent={agent} size="sm" />
              <span dir="auto" className="min-w-0 grow truncate">{agent.name}</span>
              {agent.is_hired && (
                <span className="flex shrink-0 items-center gap-1 text-xs text-muted">
                  <Check aria-hidden className="size-3.5" />
                  {words.hired}
                </span>
              )}
              {!agent.is_offered && <span className="shrink-0 text-xs text-danger">{words.notOffered}</span>}
            </li>
          ))}
        </ul>
        {hire.isError && (
          <div className="mt-4">
            <Alert>{messageOf(hire.error)}</Alert>
          </div>
        )}
        <Button
          className="mt-5"
          pending={hire.isPending}
          disabled={missing.length > 0}
          aria-label={say(words.hireTeamName, { name: team.name })}
          onClick={() => {
            hire.mutate()
          }}
        >
          <Plus aria-hidden className="size-4" />
          {words.hireTeam}
        </Button>
      </Card>
    </article>
  )
}
