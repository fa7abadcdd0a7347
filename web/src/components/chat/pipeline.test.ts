import { expect, test } from 'vitest'
import type { Team } from '@/api/types'
import type { AgentMessage, UseAgentChatReturn } from '@/chat/types'
import { stagesOf } from './pipeline'

const team = {
  members: ['one', 'two', 'three'].map((name) => ({ agent_id: name, name, stage: { name: `stage-${name}` } })),
} as unknown as Team

const SINCE = '2026-01-01T10:00:00Z'

function chat(holder: string | null, ...completed: string[]): Pick<UseAgentChatReturn, 'active' | 'messages'> {
  const parts = completed.map((name) => ({ type: 'stage', completed: name }))
  return {
    active: holder === null ? null : ({ agentId: holder, since: SINCE } as UseAgentChatReturn['active']),
    messages: [{ parts } as unknown as AgentMessage],
  }
}

/** Results from before the holder took the conversation, or of a later time. */
const results = (names: string[], created_at = '2026-01-01T09:00:00Z') => names.map((stage) => ({ stage, created_at }))
const all = ['stage-one', 'stage-two', 'stage-three']
const lately = results(['stage-three'], '2026-01-01T10:00:00.5Z')

test.each([
  ['not begun', chat(null), [], 'current next next', ''],
  ['in the first', chat('one'), [], 'current next next', ''],
  ['in the second, by what was said', chat('two', 'stage-one'), [], 'done current next', 'one'],
  ['in the second, by the results', chat('two'), results(['stage-one']), 'done current next', 'one'],
  ['finished', chat('three', 'stage-one', 'stage-two'), [...results(['stage-one', 'stage-two']), ...lately], 'done done done', 'one two'],
  ['back in the first, all being done', chat('one'), results(all), 'current done done', 'two three'],
  ['back in the first, the second having begun', chat('one'), results(['stage-one']), 'current next next', 'two'],
  ['in the second again', chat('two'), results([...all, 'stage-one']), 'done current done', 'one three'],
  ['in the last again', chat('three'), results([...all, 'stage-one', 'stage-two']), 'done done current', 'one two'],
  ['finished again', chat('three'), [...results(all), ...lately], 'done done done', 'one two'],
  ['completed, and the next can’t begin', chat('one'), results(['stage-one'], '2026-01-01T11:00:00Z'), 'current next next', 'two'],
  ['held by an agent of no stage', chat('other', 'stage-one'), [], 'done next next', 'one two'],
])('%s', (_, state, snapshots, expected, ways) => {
  const stages = stagesOf(team, state, snapshots)
  expect(stages.map((stage) => stage.state).join(' ')).toBe(expected)
  expect(stages.filter(({ canReturn }) => canReturn).map(({ agentId }) => agentId).join(' ')).toBe(ways)
})
