import { expect, test } from 'vitest'
import { auditDetails, auditWords } from './audit-words'

test.each([
  ['agent.hired', 'hired an agent'],
  ['budget.limit_set', 'budget limit set'],
])('%s reads as “%s”', (action, words) => {
  expect(auditWords(action)).toBe(words)
})

test.each([
  [{}, ''],
  [{ role: 'admin' }, 'role: admin'],
  [{ spend_cap_usd: 5, fields: ['name'] }, 'spend cap usd: 5, fields: ["name"]'],
  [null, ''],
])('%o says “%s”', (details, words) => {
  expect(auditDetails(details)).toBe(words)
})

test('a team that is named is not named twice', () => {
  expect(auditDetails({ pack: 'outreach', team: 'outreach' }, true)).toBe('pack: outreach')
})
