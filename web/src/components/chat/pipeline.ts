// How far a pipeline has come.
import type { Team } from '@/api/types'
import type { UseAgentChatReturn } from '@/chat/types'

export interface StageState {
  name: string
  agentId: string
  agentName: string
  state: 'done' | 'current' | 'next'
}

/** The stages of a team in order. `completed`: those that have a result. */
export function stagesOf(
  team: Team,
  chat: Pick<UseAgentChatReturn, 'active' | 'messages'>,
  completed: ReadonlySet<string>,
): StageState[] {
  const stages = team.members.flatMap(({ agent_id, name, stage }) =>
    stage === null ? [] : [{ name: stage.name, agentId: agent_id, agentName: name }],
  )
  const passed = new Set(
    chat.messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'stage' ? part.completed : []))),
  )
  const isDone = ({ name }: { name: string }) => completed.has(name) || passed.has(name)
  const holder = stages.findIndex((stage) => stage.agentId === chat.active?.agentId && !isDone(stage))
  const current = holder >= 0 ? holder : stages.findIndex((stage) => !isDone(stage))
  return stages.map((stage, index) => ({
    ...stage,
    state: index === current ? 'current' : isDone(stage) ? 'done' : 'next',
  }))
}
