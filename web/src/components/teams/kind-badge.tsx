import { GitFork, ListOrdered, Network, type LucideIcon } from 'lucide-react'
import type { TeamKind } from '@/api/types'
import { TEAM_KINDS } from './team-kind'

const ICONS: Record<TeamKind, LucideIcon> = { swarm: Network, router: GitFork, pipeline: ListOrdered }

export function KindIcon({ kind, className }: { kind: TeamKind; className?: string }) {
  const Icon = ICONS[kind]
  return <Icon aria-hidden className={className} />
}

export function KindBadge({ kind }: { kind: TeamKind }) {
  return (
    <span className="inline-flex h-5.5 shrink-0 items-center gap-1.5 rounded-md bg-brand-subtle px-2 text-xs font-medium text-brand">
      <KindIcon kind={kind} className="size-3" />
      {TEAM_KINDS[kind].label}
    </span>
  )
}
