import { expect, test } from 'vitest'
import { step, task, taskTree, usage } from '@/testing/task-sample'
import { timeline } from './timeline'

const brief = (tree: typeof taskTree, now?: number) =>
  timeline(tree, now).spans.map(({ kind, label, start, end, state }) => [kind, label, start, end, state])

test('calls and their answers are one span each, the rest are moments', () => {
  expect(brief(taskTree)).toEqual([
    ['person', 'Message', 0, 0, 'ended'],
    ['router', 'Router', 10, 100, 'ended'],
    ['model', 'Model call', 100, 300, 'ended'],
    ['tool', 'Note', 300, 350, 'failed'],
    ['stage', 'Stage completed: facts', 400, 400, 'ended'],
    ['handoff', 'To Assessor', 500, 500, 'ended'],
    ['model', 'Model call', 500, 1000, 'ended'],
  ])
  expect(timeline(taskTree).length).toBe(1000)
})

test.each([
  ['a call that goes on lasts until now', [step(1, 0, 'call', { step: 'call' })], ['model', 'Model call', 0, 2000, 'open']],
  [
    'a stop ends the call',
    [step(1, 0, 'call', { step: 'call' }), step(2, 70, 'status_change', { step: 'message_end', status: 'stopped' })],
    ['model', 'Model call', 0, 70, 'ended'],
  ],
  [
    'an approval takes as long as the person did',
    [
      step(1, 10, 'status_change', { step: 'approval_asked', approval_id: 'a' }),
      step(2, 900, 'status_change', { step: 'approval_resolved', approval_id: 'a', decision: 'approved' }),
    ],
    ['approval', 'Approval: approved', 10, 900, 'ended'],
  ],
  ['an error is a failed moment', [step(1, 5, 'error', { step: 'error', message: 'No.' })], ['error', 'Error', 5, 5, 'failed']],
])('%s', (_, steps, expected) => {
  const tree = { ...taskTree, ended_at: null, duration_ms: null, tasks: [task({ steps, ended_at: null })] }
  expect(brief(tree, Date.UTC(2026, 0, 1) + 2000)).toEqual([expected])
})

test('what was thought is shown with the call that it led to', () => {
  const steps = [
    step(1, 0, 'call', { step: 'call' }),
    step(2, 70, 'thinking', { step: 'thinking', text: 'Hm.' }),
    step(2, 70, 'assistant_message', { step: 'said', text: 'Fine.' }),
  ]
  const { spans } = timeline({ ...taskTree, tasks: [task({ steps })] })
  expect(spans.map(({ kind, end, steps }) => [kind, end, steps.map(({ type }) => type)])).toEqual([
    ['model', 70, ['call', 'thinking', 'assistant_message']],
  ])
})

const lost = usage(900, 12)

test.each([
  [
    'a call made again after a crash ends the one before it',
    null,
    [
      step(1, 0, 'call', { step: 'call', attempt: 1 }),
      step(2, 400, 'call', { step: 'call', attempt: 2, lost_usage: lost }),
      step(3, 600, 'assistant_message', { step: 'said', text: 'Fine.' }),
    ],
    [
      [0, 400, 'cut', { lost }],
      [400, 600, 'ended', undefined],
    ],
  ],
  [
    'only the last of several goes on',
    null,
    [step(1, 0, 'call', { step: 'call' }), step(2, 400, 'call', { step: 'call' }), step(3, 700, 'call', { step: 'call', lost_usage: lost })],
    [
      [0, 400, 'cut', { lost: undefined }],
      [400, 700, 'cut', { lost }],
      [700, 2000, 'open', undefined],
    ],
  ],
  [
    'nothing goes on for longer than its task',
    '2026-01-01T00:00:00.800Z',
    [step(1, 0, 'tool_call', { step: 'tool_call', call_id: 'a' }), step(2, 500, 'call', { step: 'call' })],
    [
      [0, 800, 'cut', undefined],
      [500, 800, 'cut', undefined],
    ],
  ],
  [
    'two tools at once are not tries of one call',
    null,
    [step(1, 0, 'tool_call', { step: 'tool_call', call_id: 'a' }), step(2, 10, 'tool_call', { step: 'tool_call', call_id: 'b' })],
    [
      [0, 2000, 'open', undefined],
      [10, 2000, 'open', undefined],
    ],
  ],
])('after a crash: %s', (_, ended_at, steps, expected) => {
  const tree = { ...taskTree, ended_at, tasks: [task({ steps, ended_at })] }
  const { spans } = timeline(tree, Date.UTC(2026, 0, 1) + 2000)
  expect(spans.map(({ start, end, state, retried }) => [start, end, state, retried])).toEqual(expected)
})

test('a step of a kind that came later is left out, not a crash', () => {
  const tree = { ...taskTree, tasks: [task({ steps: [step(1, 0, 'novelty', { step: 'novelty' })] })] }
  expect(brief(tree)).toEqual([])
})
