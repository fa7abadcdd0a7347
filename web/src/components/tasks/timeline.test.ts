import { expect, test } from 'vitest'
import { step, task, taskTree } from '@/testing/task-sample'
import { timeline } from './timeline'

const brief = (tree: typeof taskTree, now?: number) =>
  timeline(tree, now).spans.map(({ kind, label, start, end, failed, open }) => [kind, label, start, end, failed, open])

test('calls and their answers are one span each, the rest are moments', () => {
  expect(brief(taskTree)).toEqual([
    ['person', 'Message', 0, 0, false, false],
    ['router', 'Router', 10, 100, false, false],
    ['model', 'Model call', 100, 300, false, false],
    ['tool', 'Note', 300, 350, true, false],
    ['stage', 'Stage completed: facts', 400, 400, false, false],
    ['handoff', 'To Assessor', 500, 500, false, false],
    ['model', 'Model call', 500, 1000, false, false],
  ])
  expect(timeline(taskTree).length).toBe(1000)
})

test.each([
  ['a call that goes on lasts until now', [step(1, 0, 'call', { step: 'call' })], ['model', 'Model call', 0, 2000, false, true]],
  [
    'a stop ends the call',
    [step(1, 0, 'call', { step: 'call' }), step(2, 70, 'status_change', { step: 'message_end', status: 'stopped' })],
    ['model', 'Model call', 0, 70, false, false],
  ],
  [
    'an approval takes as long as the person did',
    [
      step(1, 10, 'status_change', { step: 'approval_asked', approval_id: 'a' }),
      step(2, 900, 'status_change', { step: 'approval_resolved', approval_id: 'a', decision: 'approved' }),
    ],
    ['approval', 'Approval: approved', 10, 900, false, false],
  ],
  ['an error is a failed moment', [step(1, 5, 'error', { step: 'error', message: 'No.' })], ['error', 'Error', 5, 5, true, false]],
])('%s', (_, steps, expected) => {
  const tree = { ...taskTree, ended_at: null, duration_ms: null, tasks: [task({ steps })] }
  expect(brief(tree, Date.UTC(2026, 0, 1) + 2000)).toEqual([expected])
})

test('a step of a kind that came later is left out, not a crash', () => {
  const tree = { ...taskTree, tasks: [task({ steps: [step(1, 0, 'novelty', { step: 'novelty' })] })] }
  expect(brief(tree)).toEqual([])
})
