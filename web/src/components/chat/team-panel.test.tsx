import { render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { ApiError } from '@/api/errors'
import type { UseAgentChatReturn } from '@/chat/types'
import type { StageSnapshot } from '@/hooks/use-holders'
import { team } from '@/testing/build-samples'
import { chatAgent, chatReturn } from '@/testing/chat'
import { person } from '@/testing/person'
import type { ChatAgent } from './chat-agent'
import type { StageState } from './pipeline'
import { TeamPanel } from './team-panel'

const stages: StageState[] = [
  { name: 'qualification', agentId: 'one', agentName: 'Qualifier', state: 'done', canReturn: true },
  { name: 'assessment', agentId: 'two', agentName: 'Assessor', state: 'next', canReturn: true },
  { name: 'report', agentId: 'three', agentName: 'Analyzer', state: 'current', canReturn: false },
]
const everyone = ['one', 'two', 'three'].map((id) => chatAgent({ id }))
const snapshot = (version: number): StageSnapshot => ({
  id: `snapshot-${version}`, agent_id: 'one', stage: 'qualification', version, data: {}, created_at: '2026-01-01T00:00:00Z',
})

function renderPanel(members: readonly ChatAgent[] = everyone, changes: Partial<UseAgentChatReturn> = {}) {
  const onChoose = vi.fn()
  const user = person({ delay: null })
  const panel = { team: team({ kind: 'pipeline' }), chat: chatReturn(changes), members, stages, onChoose }
  render(<TeamPanel {...panel} snapshots={[snapshot(1), snapshot(2)]} />)
  return { user, onChoose }
}

const GONE = new ApiError({ status: 404, code: 'not_found', message: 'Gone.' })

test.each<[string, Partial<UseAgentChatReturn>, number]>([
  ['pressing a member gives it the conversation', {}, 1],
  ['unless that can only be read', { isSubtask: true }, 0],
  ['or was deleted', { loadError: GONE }, 0],
])('%s', async (_, changes, times) => {
  const onChoose = vi.fn()
  const user = person({ delay: null })
  render(<TeamPanel team={team()} chat={chatReturn(changes)} members={everyone.slice(1)} stages={[]} snapshots={[]} onChoose={onChoose} />)
  const [row] = screen.getAllByRole('button')
  if (row !== undefined) await user.click(row)
  expect(onChoose).toHaveBeenCalledTimes(times)
})

const ways = () => screen.queryAllByRole('button', { name: /^Go / }).map((button) => button.getAttribute('aria-label'))

test('a person goes to a stage that was left behind', async () => {
  const { user, onChoose } = renderPanel()
  expect(ways()).toEqual(['Go back to qualification', 'Go on with assessment'])
  await user.click(screen.getByRole('button', { name: 'Go back to qualification' }))
  expect(onChoose).toHaveBeenCalledExactlyOnceWith('one')
  expect(screen.getByRole('button', { name: 'Result (version 2)' })).toBeTruthy()
})

test.each<[string, readonly ChatAgent[], Partial<UseAgentChatReturn>, string[]]>([
  ['whose agent was let go', everyone.slice(1), {}, ['Go on with assessment']],
  ['whose agent isn’t for this person', [chatAgent({ id: 'one', refusal: 'premium' })], {}, []],
  ['of a conversation that can only be read', everyone, { isSubtask: true }, []],
  ['of a conversation that was deleted', everyone, { loadError: GONE }, []],
])('nobody goes to a stage %s', (_, members, changes, expected) => {
  renderPanel(members, changes)
  expect(ways()).toEqual(expected)
})
