import { expect, test } from 'vitest'
import { localAgent } from '@/testing/build-samples'
import { type AgentDraft, changesOf, checkAgent, draftOf, suggestedRole } from './agent-draft'

const saved = draftOf(localAgent({ role: 'coach', max_turns: 10 }))

test.each<[string, Partial<AgentDraft>, object]>([
  ['nothing', {}, {}],
  ['a text', { name: 'Our Coach' }, { name: 'Our Coach' }],
  ['an emptied field', { role: ' ', department_id: '' }, { role: null }],
  ['a number', { max_turns: '20' }, { max_turns: 20 }],
  ['a list', { tools: ['memory'] }, { tools: ['memory'] }],
  ['JSON', { config: '{"a":1}' }, { config: { a: 1 } }],
])('only what changed is sent: %s', (_, changes, body) => {
  expect(changesOf(saved, { ...saved, ...changes })).toEqual(body)
})

test.each<[Partial<AgentDraft>, string[]]>([
  [{}, []],
  [{ name: ' ' }, ['name']],
  [{ max_turns: '0' }, ['max_turns']],
  [{ max_turns: '1.5' }, ['max_turns']],
  [{ max_turns: '201' }, ['max_turns']],
  [{ config: '[]' }, ['config']],
  [{ config: '{', system_prompt: '' }, ['system_prompt', 'config']],
])('%o is refused at its fields', (changes, fields) => {
  expect(Object.keys(checkAgent({ ...saved, ...changes }))).toEqual(fields)
})

test.each([
  ['Customer Support', 'support'],
  ['Help-desk', 'support'],
  ['Helpful Harry', ''],
  ['Budget Coach', ''],
])('the role suggested for %s', (name, role) => {
  expect(suggestedRole(name)).toBe(role)
})
