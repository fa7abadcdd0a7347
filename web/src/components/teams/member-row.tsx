import type { Agent } from '@/api/types'
import { AgentAvatar } from '@/components/agents/agent-avatar'
import { onAltArrow, OrderButtons } from '@/components/forms/reorder'
import { Badge } from '@/components/ui/badge'
import { TextField } from '@/components/ui/fields'
import { words } from '@/words/en/teams'
import { say } from '@/words/say'
import type { MemberDraft } from './team-draft'

export type TeamAgent = Pick<Agent, 'name' | 'slug' | 'avatar_url'> & { isActive: boolean }

export interface MemberProps {
  member: MemberDraft
  agent: TeamAgent
  index: number
  count: number
  readOnly: boolean
  problemWith: (field: string) => string | undefined
  onChange: (changes: Partial<MemberDraft>) => void
  onMove: (to: number) => void
  onRemove: () => void
}

interface MemberRowProps extends MemberProps {
  hasPriority: boolean
  onDefault: () => void
}

/** A member of a swarm or a router team. */
export function MemberRow(props: MemberRowProps) {
  const { member, agent, index, count, readOnly, problemWith, onChange, onMove, onRemove, hasPriority, onDefault } = props
  const problem = problemWith(`members[${index}].agentId`)
  return (
    <fieldset
      name={`members[${index}].agentId`}
      tabIndex={-1}
      aria-label={agent.name}
      className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-border p-3"
      onKeyDown={readOnly ? undefined : onAltArrow(index, onMove)}
    >
      <AgentAvatar agent={agent} size="md" />
      <div className="min-w-0 grow basis-36">
        <p dir="auto" className="truncate text-sm font-medium" title={agent.name}>
          {agent.name}
        </p>
        {!agent.isActive && <Badge tone="dashed">{words.wasLetGo}</Badge>}
        {problem !== undefined && <p className="text-sm text-danger">{problem}</p>}
        <label className="flex min-h-6 items-center gap-2 text-sm text-muted">
          <input
            type="radio"
            name="default"
            checked={member.isDefault}
            disabled={readOnly}
            className="size-4 accent-primary"
            onChange={onDefault}
          />
          {words.answersFirst}
        </label>
      </div>
      {hasPriority && (
        <TextField
          label={say(words.priorityOfName, { name: agent.name })}
          labelHidden
          name={`members[${index}].priority`}
          type="number"
          value={member.priority}
          readOnly={readOnly}
          hint={words.priority}
          problem={problemWith(`members[${index}].priority`)}
          className="w-24"
          onChange={(priority) => {
            onChange({ priority })
          }}
        />
      )}
      {!readOnly && <OrderButtons label={agent.name} {...{ index, count, onMove, onRemove }} />}
    </fieldset>
  )
}
