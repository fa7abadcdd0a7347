import { expect, test } from 'vitest'
import type { Team } from '@/api/types'
import type { AgentMessage, UseAgentChatReturn } from '@/chat/types'
import { stagesOf } from './pipeline'

const team = {
  members: ['one', 'two', 'three'].map((name) => ({ agent_id: name, name, stage: { name: `stage-${name}` } })),
} as unknown as Team

function chat(holder: string | null, ...completed: string[]): Pick<UseAgentChatReturn, 'active' | 'messages'> {
  const parts = completed.map((name) => ({ type: 'stage', completed: name }))
  return {
    active: holder === null ? null : ({ agentId: holder } as UseAgentChatReturn['active']),
    messages: [{ parts } as unknown as AgentMessage],
  }
}

test.each([
  ['not begun', chat(null), [], 'current next next'],
  ['in the first', chat('one'), [], 'current next next'],
  ['in the second, by what was said', chat('two', 'stage-one'), [], 'done current next'],
  ['in the second, by the results', chat('two'), ['stage-one'], 'done current next'],
  ['finished', chat('three', 'stage-one', 'stage-two'), ['stage-one', 'stage-two', 'stage-three'], 'done done done'],
])('%s', (_, state, completed, expected) => {
  const states = stagesOf(team, state, new Set(completed)).map((stage) => stage.state)
  expect(states.join(' ')).toBe(expected)
})
