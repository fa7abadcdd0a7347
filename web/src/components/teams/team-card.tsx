import { MessageSquare } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { Link } from 'wouter'
import type { Team } from '@/api/types'
import { buttonClass } from '@/components/ui/button-class'
import { Card } from '@/components/ui/card'
import { KindBadge } from './kind-badge'
import { MemberAvatars } from './member-avatars'

/** A team of the workspace. */
export function TeamCard({ team, menu }: { team: Team; menu?: ReactNode }) {
  const nameId = useId()
  return (
    <article aria-labelledby={nameId} className="flex min-w-0 grow">
      <Card className="flex min-w-0 grow flex-col p-5 transition-shadow hover:shadow-md">
        <div className="flex items-start justify-between gap-3">
          <div className="min-w-0">
            <h3 id={nameId} className="font-semibold wrap-anywhere">
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
          <p className="line-clamp-3 text-sm text-muted wrap-anywhere">{team.description}</p>
        </div>
        <div className="mt-4 flex items-center justify-between gap-3">
          <MemberAvatars members={team.members} />
          <Link
            to={`/agents/teams/${team.id}`}
            className={buttonClass('secondary', 'md', 'shrink-0')}
            aria-label={`Chat with ${team.name}`}
          >
            <MessageSquare aria-hidden className="size-4" />
            Chat
          </Link>
        </div>
      </Card>
    </article>
  )
}
