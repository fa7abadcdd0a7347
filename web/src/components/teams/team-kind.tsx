import { clsx } from 'clsx'
import { GitFork, ListOrdered, type LucideIcon, Network } from 'lucide-react'
import type { TeamKind } from '@/api/types'
import { words } from '@/words/en/teams'

interface KindWords {
  label: string
  explanation: string
  /** What its members are called. */
  members: string
  membersNote: string
}

export const TEAM_KINDS: Record<TeamKind, KindWords> = words.kinds

const ICONS: Record<TeamKind, LucideIcon> = { swarm: Network, router: GitFork, pipeline: ListOrdered }

function KindIcon({ kind, className }: { kind: TeamKind; className?: string }) {
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

interface KindChoiceProps {
  value: TeamKind
  disabled: boolean
  onChange: (kind: TeamKind) => void
}

/** How control moves in a team, with a plain explanation of each way. */
export function KindChoice({ value, disabled, onChange }: KindChoiceProps) {
  return (
    <fieldset name="kind" className="min-w-0">
      <legend className="mb-1.5 text-sm font-medium">{words.kind}</legend>
      <div className="grid gap-2 sm:grid-cols-3">
        {(Object.keys(TEAM_KINDS) as TeamKind[]).map((kind) => (
          <label
            key={kind}
            className={clsx(
              'grid content-start gap-1 rounded-lg border p-3 text-sm transition-colors has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-brand',
              value === kind ? 'border-brand bg-brand-subtle' : 'border-border hover:bg-subtle',
              !disabled && 'cursor-pointer',
            )}
          >
            <input
              type="radio"
              name="team-kind"
              value={kind}
              checked={value === kind}
              disabled={disabled}
              className="sr-only"
              onChange={() => {
                onChange(kind)
              }}
            />
            <span className="flex items-center gap-2 font-medium">
              <KindIcon kind={kind} className={clsx('size-4', value === kind ? 'text-brand' : 'text-muted')} />
              {TEAM_KINDS[kind].label}
            </span>
            <span className="text-muted">{TEAM_KINDS[kind].explanation}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
