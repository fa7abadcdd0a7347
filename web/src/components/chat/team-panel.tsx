import { clsx } from 'clsx'
import { Lock, Pin, Shuffle } from 'lucide-react'
import { isGone } from '@/api/errors'
import type { Team } from '@/api/types'
import type { UseAgentChatReturn } from '@/chat/types'
import { AgentAvatar } from '@/components/agents/agent-avatar'
import type { StageSnapshot } from '@/hooks/use-holders'
import { words } from '@/words/en/chat-on-demand'
import { type ChatAgent, REFUSALS } from './chat-agent'
import type { StageState } from './pipeline'
import { StageList } from './stage-list'

interface TeamPanelProps {
  team: Team
  chat: UseAgentChatReturn
  members: readonly ChatAgent[]
  stages: readonly StageState[]
  snapshots: readonly StageSnapshot[]
  onChoose: (agentId: string) => void
}

const TITLES = words.titles

/** What a team is made of, beside its chat. */
export function TeamPanel({ team, chat, members, stages, snapshots, onChoose }: TeamPanelProps) {
  // What can only be read, or not even that, is given to nobody.
  const isFixed = chat.isSubtask || isGone(chat.loadError)
  const canChoose = (agentId: string) =>
    !isFixed && members.some(({ id, refusal }) => id === agentId && refusal === null)
  const auto = team.kind !== 'router' ? undefined : chat.active?.pinned ? 'off' : 'on'
  return (
    <div className="grid grid-cols-1 content-start gap-4 overflow-y-auto p-4">
      <div>
        <h2 dir="auto" className="font-semibold wrap-anywhere">{team.name}</h2>
        {team.description !== null && <p dir="auto" className="mt-1 text-sm text-muted wrap-anywhere">{team.description}</p>}
      </div>
      <h3 className="text-xs font-medium text-muted">{TITLES[team.kind]}</h3>
      {team.kind === 'pipeline' ? (
        <StageList stages={stages} snapshots={snapshots} canChoose={canChoose} onChoose={onChoose} />
      ) : (
        <MemberList members={members} activeId={chat.active?.agentId ?? null} auto={auto} isFixed={isFixed} onChoose={onChoose} />
      )}
    </div>
  )
}

interface MemberListProps {
  members: readonly ChatAgent[]
  activeId: string | null
  /** Only in a team with a router: whether it chooses. */
  auto: 'on' | 'off' | undefined
  /** Nobody can be chosen. */
  isFixed: boolean
  onChoose: (agentId: string) => void
}

/** The agents of a team. Pressing one makes it answer. */
function MemberList({ members, activeId, auto, isFixed, onChoose }: MemberListProps) {
  return (
    <ul className="grid grid-cols-1 gap-1">
      {auto !== undefined && (
        <li>
          <button
            type="button"
            aria-pressed={auto === 'on'}
            aria-disabled={isFixed || undefined}
            className={clsx(ROW, auto === 'on' ? 'bg-brand-subtle/70' : 'hover:bg-subtle')}
            onClick={() => {
              if (auto === 'off' && !isFixed) onChoose('auto')
            }}
          >
            <span aria-hidden className="flex size-8 shrink-0 items-center justify-center rounded-lg bg-brand-subtle text-brand">
              <Shuffle className="size-4" />
            </span>
            <span className="min-w-0">
              <span className="block text-sm font-medium">{words.auto}</span>
              <span className="block text-xs text-muted">{words.routerChooses}</span>
            </span>
          </button>
        </li>
      )}
      {members.map((member) => {
        const isActive = member.id === activeId
        return (
          <li key={member.id}>
            <button
              type="button"
              aria-current={isActive || undefined}
              aria-disabled={isFixed || member.refusal !== null || undefined}
              className={clsx(ROW, isActive ? 'bg-subtle' : 'hover:bg-subtle')}
              onClick={() => {
                if (!isFixed && member.refusal === null && (!isActive || auto === 'on')) onChoose(member.id)
              }}
            >
              <AgentAvatar size="sm" agent={{ slug: member.slug, avatar_url: member.avatarUrl }} />
              <span className="min-w-0 grow">
                <span dir="auto" className="block truncate text-sm font-medium">{member.name}</span>
                <span className="line-clamp-2 text-xs text-muted">
                  {member.refusal === null ? (member.description ?? member.role) : REFUSALS[member.refusal]}
                </span>
              </span>
              {member.refusal !== null && <Lock aria-hidden className="mt-1 size-4 shrink-0 text-muted" />}
              {isActive && <ActiveMark pinned={auto === 'off'} />}
            </button>
          </li>
        )
      })}
    </ul>
  )
}

const ROW = 'flex w-full items-start gap-3 rounded-lg p-2 text-left transition-colors'

function ActiveMark({ pinned }: { pinned: boolean }) {
  return (
    <span className="mt-1 flex shrink-0 items-center text-xs font-medium text-brand">
      {pinned && <Pin aria-hidden className="size-4" />}
      {!pinned && <span aria-hidden className="size-2 rounded-full bg-brand" />}
      <span className="sr-only">{pinned ? words.pinnedAndHolds : words.holds}</span>
    </span>
  )
}
