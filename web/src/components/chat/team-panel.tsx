import { isGone } from '@/api/errors'
import type { Team } from '@/api/types'
import type { UseAgentChatReturn } from '@/chat/types'
import type { ChatAgent } from './chat-agent'
import { MemberList } from './member-list'
import type { StageState } from './pipeline'
import { StageList } from './stage-list'
import type { StageSnapshot } from './use-snapshots'

interface TeamPanelProps {
  team: Team
  chat: UseAgentChatReturn
  members: readonly ChatAgent[]
  stages: readonly StageState[]
  snapshots: readonly StageSnapshot[]
  onChoose: (agentId: string) => void
}

const TITLES = { swarm: 'Members', router: 'Members', pipeline: 'Stages' }

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
        <h2 className="font-semibold wrap-anywhere">{team.name}</h2>
        {team.description !== null && <p className="mt-1 text-sm text-muted wrap-anywhere">{team.description}</p>}
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
