import { expect, test } from 'vitest'
import { roleWords } from './chat-agent'

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
