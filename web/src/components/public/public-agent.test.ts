import { expect, test } from 'vitest'
import type { PublicWorkspace } from '@/api/types'
import { publicWorkspace } from '@/testing/people-samples'
import { beginning } from './public-agent'

test.each<[string, Partial<PublicWorkspace>, { agentId: string | null; teamId: string | null }, ReturnType<typeof beginning>]>([
  ['nobody', {}, { agentId: null, teamId: null }, { agentId: 'host', teamId: undefined, isRefused: false }],
  ['an agent', {}, { agentId: 'helper', teamId: null }, { agentId: 'helper', teamId: undefined, isRefused: false }],
  ['a team', {}, { agentId: null, teamId: 'desk' }, { agentId: 'helper', teamId: 'desk', isRefused: false }],
  ['a closed agent', {}, { agentId: 'closed', teamId: null }, { agentId: 'host', teamId: undefined, isRefused: true }],
  ['a closed team', {}, { agentId: null, teamId: 'closed' }, { agentId: 'host', teamId: undefined, isRefused: true }],
  [
    'nobody, without a default',
    { default_agent_id: null },
    { agentId: null, teamId: null },
    { agentId: 'host', teamId: undefined, isRefused: false },
  ],
  [
    'nobody, where nobody is',
    { default_agent_id: null, agents: [] },
    { agentId: null, teamId: null },
    { agentId: undefined, teamId: undefined, isRefused: false },
  ],
])('who begins when the address names %s', (_, changes, wanted, expected) => {
  expect(beginning(publicWorkspace(changes), wanted)).toEqual(expected)
})
