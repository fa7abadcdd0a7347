import type { Pack } from '@/api/types'
import { PackTeamCard } from './pack-team-card'
import { TEAM_GRID } from './team-grid-class'

/** Teams of packs that the workspace has not hired yet. */
export function PackTeams({ packs }: { packs: readonly Pack[] }) {
  const offered = packs.flatMap((pack) => pack.teams.filter((team) => !team.is_hired).map((team) => ({ pack, team })))
  if (offered.length === 0) return null
  return (
    <section aria-labelledby="ready-made" className="mt-10">
      <h2 id="ready-made" className="font-semibold">
        Ready to hire
      </h2>
      <p className="mt-1 mb-4 text-sm text-muted">A team comes with its agents and the tools between them.</p>
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
