import { expect, test } from 'vitest'
import { auditSubject, auditWords } from './audit-words'

test.each([
  ['agent.hired', 'hired an agent'],
  ['budget.limit_set', 'budget limit set'],
])('%s reads as “%s”', (action, words) => {
  expect(auditWords(action)).toBe(words)
})

test.each([
  ['nothing is known', {}, undefined, undefined, ''],
  ['no details at all', null, undefined, undefined, ''],
  ['only details', { role: 'admin', days: 5 }, undefined, undefined, 'role: admin, days: 5'],
  ['a team that is named is not named twice', { pack: 'outreach', team: 'outreach' }, 'Outreach', 'Outreach', 'pack: outreach'],
  ['a team that is gone', { pack: 'outreach', team: 'outreach' }, undefined, undefined, 'pack: outreach, team: outreach'],
  ['an agent that was let go', { name: 'Budget Coach' }, undefined, 'Budget Coach', ''],
  ['one that goes by another name now', { name: 'Coach' }, 'Budget Coach', 'Budget Coach', ''],
  [
    'settings',
    { fields: ['spend_cap_usd', 'public_chat', 'default_agent_id', 'public_spend_cap_usd', 'time_zone'] },
    undefined,
    'spend cap, public chat, default agent, spend cap of the public chat, time zone',
    '',
  ],
  ['no settings', { fields: [] }, undefined, undefined, ''],
  ['what is not as expected is shown as it is', { name: 5, fields: [1] }, undefined, undefined, 'name: 5, fields: [1]'],
])('%s', (_, details, nameNow, about, more) => {
  expect(auditSubject(details, nameNow)).toEqual({ about, more })
})

test('what is pointed at by its id goes by its name, and what is empty is left out', () => {
  const details = { tool: 'tool-1', raw_name: '', level: 'never', tools: ['read', 'write'] }
  const nameOf = (id: string) => (id === 'tool-1' ? 'sky_of' : undefined)
  expect(auditSubject(details, 'Coach', nameOf)).toEqual({ about: 'Coach', more: 'tool: sky_of, level: never, tools: read, write' })
})
