import { expect, test } from 'vitest'
import { agent, hiredAgent } from '@/testing/samples'
import { hireSummary } from './hire-dialog'

test.each([
  [[agent(), agent()], 2, '2 agents for hire'],
  [[agent(), hiredAgent(), hiredAgent()], 3, '1 agent for hire, 2 hired already'],
  [[hiredAgent()], 1, '1 agent, hired already'],
  [[hiredAgent(), hiredAgent()], 2, '2 agents, all hired already'],
  [[agent()], 60, '60 agents, hired ones included'],
])('%#: %s', (agents, total, words) => {
  expect(hireSummary(agents, total)).toBe(words)
})
