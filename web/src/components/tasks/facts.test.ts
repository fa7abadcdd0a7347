import { expect, test } from 'vitest'
import { step, task, taskTree } from '@/testing/task-sample'
import { errorsOf, facts } from './facts'

const nothing = { models: [], modelCalls: 0, retries: 0, toolCalls: 0, failedTools: 0, waited: 0 }
const asked = (seq: number, at: number, id: string) => step(seq, at, 'status_change', { step: 'approval_asked', approval_id: id })
const decided = (seq: number, at: number, id: string) =>
  step(seq, at, 'status_change', { step: 'approval_resolved', approval_id: id, decision: 'approved' })

test.each([
  ['nothing', [], nothing],
  [
    'each model once, the router’s too',
    [
      step(1, 0, 'status_change', { step: 'routed', model: 'b/small' }),
      step(2, 0, 'call', { step: 'call' }),
      step(3, 10, 'assistant_message', { step: 'said', model: 'a/large' }),
      step(4, 20, 'call', { step: 'call' }),
      step(5, 30, 'assistant_message', { step: 'said', model: 'a/large' }),
    ],
    { ...nothing, models: ['b/small', 'a/large'], modelCalls: 2 },
  ],
  [
    'a call that was cut counts as one more',
    [step(1, 0, 'call', { step: 'call' }), step(2, 10, 'call', { step: 'call' }), step(3, 20, 'assistant_message', { step: 'said' })],
    { ...nothing, modelCalls: 2, retries: 1 },
  ],
  [
    'tools, and which of them failed',
    [
      step(1, 0, 'tool_call', { step: 'tool_call', call_id: 'a' }),
      step(2, 0, 'tool_call', { step: 'tool_call', call_id: 'b' }),
      step(3, 5, 'tool_result', { step: 'tool_result', call_id: 'a', success: true }),
      step(4, 5, 'tool_result', { step: 'tool_result', call_id: 'b', success: false }),
    ],
    { ...nothing, toolCalls: 2, failedTools: 1 },
  ],
  [
    'waiting for two people at once counts once',
    [asked(1, 0, 'a'), asked(2, 100, 'b'), decided(3, 200, 'a'), decided(4, 300, 'b'), asked(5, 400, 'c'), decided(6, 450, 'c')],
    { ...nothing, waited: 350 },
  ],
])('%s', (_, steps, expected) => {
  expect(facts({ ...taskTree, tasks: [task({ steps })] })).toEqual(expected)
})

test('errors say whose they are', () => {
  const steps = [step(4, 5, 'error', { step: 'error', code: 'model_failed', message: 'No.', recoverable: true }), step(5, 6, 'error', { step: 'error' })]
  expect(errorsOf({ ...taskTree, tasks: [task({ steps })] })).toEqual([
    { seq: 4, agent: 'Qualifier', code: 'model_failed', message: 'No.' },
    { seq: 5, agent: 'Qualifier', code: undefined, message: 'Something went wrong.' },
  ])
})
