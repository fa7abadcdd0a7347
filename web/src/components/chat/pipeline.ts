// How far a pipeline has come. Like the server, it knows an agent's stage by the agent, which has one at most.
import type { Active, Team } from '@/api/types'
import type { UseAgentChatReturn } from '@/chat/types'
import type { StageSnapshot } from '@/hooks/use-holders'

export interface StageState {
  name: string
  agentId: string
  agentName: string
  state: 'done' | 'current' | 'next'
  /** It is done, or its turn has come, and another agent holds the conversation. */
  canReturn: boolean
}

type Stage = Pick<StageState, 'name' | 'agentId' | 'agentName'>
type Result = Pick<StageSnapshot, 'stage' | 'created_at'>

/** The stages of a team in order. `results`: oldest first. */
export function stagesOf(
  team: Team,
  { active, messages }: Pick<UseAgentChatReturn, 'active' | 'messages'>,
  results: readonly Result[],
): StageState[] {
  const stages = team.members.flatMap(({ agent_id, name, stage }) =>
    stage === null ? [] : [{ name: stage.name, agentId: agent_id, agentName: name }],
  )
  const passed = messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'stage' ? part.completed : [])))
  const done = new Set([...passed, ...results.map(({ stage }) => stage)])
  const firstOpen = stages.findIndex(({ name }) => !done.has(name))
  const current = active === null ? stages[firstOpen] : stageHeld(stages, active, results)
  return stages.map((stage, index) => {
    const isDone = done.has(stage.name)
    return {
      ...stage,
      state: stage === current ? 'current' : isDone ? 'done' : 'next',
      canReturn: (isDone || (index === firstOpen && active !== null)) && stage.agentId !== active?.agentId,
    }
  })
}

/** The stage of whoever holds the conversation. The agent of the last one keeps it when all is done. */
function stageHeld(stages: readonly Stage[], active: Active, results: readonly Result[]): Stage | undefined {
  const held = stages.find(({ agentId }) => agentId === active.agentId)
  if (held === undefined || held !== stages.at(-1)) return held
  const result = results.findLast(({ stage }) => stage === held.name)
  const isDoneSince = result !== undefined && Date.parse(result.created_at) >= Date.parse(active.since)
  return isDoneSince ? undefined : held
}
