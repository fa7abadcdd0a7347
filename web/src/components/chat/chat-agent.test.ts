import { expect, test } from 'vitest'
import type { TeamMember } from '@/api/types'
import { fromMember, roleWords } from './chat-agent'

test.each([
  ['Budget Coach', 'finance coach', 'Finance coach'],
  ['Expense Auditor', 'expense auditor', undefined],
  ['Fleet Compliance', 'compliance', undefined],
  ['Solutions', 'procurement_guide', 'Procurement guide'],
  ['Project Manager', 'default', undefined],
  ['Project Manager', null, undefined],
])('%s who is %s: %s', (name, role, expected) => {
  expect(roleWords({ name, role })).toBe(expected)
})

test.each([
  ['free', true, 'premium'],
  ['free', false, null],
  ['premium', true, null],
] as const)('on the %s tier a member that is premium only (%s) is refused as: %s', (tier, is_restricted, refusal) => {
  const member: TeamMember = { agent_id: 'a', name: 'Ada', slug: 'ada', avatar_url: null, is_active: true, is_restricted, is_default: true, priority: 0, stage: null }
  expect(fromMember(member, [], tier).refusal).toBe(refusal)
})
