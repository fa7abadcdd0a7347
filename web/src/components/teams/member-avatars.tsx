import { AgentAvatar } from '@/components/agents/agent-avatar'

const SHOWN = 5

interface Member {
  name: string
  slug: string
  avatar_url: string | null
}

/** The faces of a team, with the names for readers and on hover. */
export function MemberAvatars({ members }: { members: readonly Member[] }) {
  const names = members.map(({ name }) => name).join(', ')
  const hidden = members.length - SHOWN
  return (
    <div className="flex items-center" title={names}>
      <span className="sr-only">Members: {names}</span>
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
