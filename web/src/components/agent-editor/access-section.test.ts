import { expect, test } from 'vitest'
import { agent, hiredAgent } from '@/testing/samples'
import { defaultAgentHint } from './access-section'

const OPEN = { is_restricted: false, role: '' }
const MEANING = 'It answers unless another is chosen, and visitors reach it at the public address.'
const desk = hiredAgent({ id: 'agent-2', localAgentId: 'local-2', name: 'Front Desk', is_default: true })

test.each([
  ['nobody is the default', OPEN, [hiredAgent()], MEANING],
  ['one that is only offered is nobody’s default', OPEN, [agent({ is_default: true })], MEANING],
  ['another is the default', OPEN, [hiredAgent(), desk], `${MEANING} Front Desk is the default now; this replaces it.`],
  ['it is the default itself', OPEN, [hiredAgent({ is_default: true })], `${MEANING} Turning it off leaves the workspace without one.`],
  ['visitors reach support', { ...OPEN, role: 'support' }, [], 'It answers unless another is chosen. Visitors reach it anyway, as its role is “support”.'],
  ['visitors reach no premium agent', { is_restricted: true, role: 'support' }, [], 'It answers unless another is chosen. Visitors don’t reach it, as it is premium only.'],
])('%s', (_, draft, agents, hint) => {
  expect(defaultAgentHint(draft, 'local-1', agents)).toBe(hint)
})
