import { expect, test } from 'vitest'
import { step, task, taskTree, usage } from '@/testing/task-sample'
import { chain } from './chain'

test('a handoff brings its trigger, and the context without marks but with the stage’s result', () => {
  const [first, second] = chain(taskTree)
  expect(first?.handoff).toBeUndefined()
  expect(second?.handoff).toEqual({
    trigger: 'completion',
    reason: undefined,
    stage: 'scores',
    context: [
      ['goal', 'grow'],
      ['company', 'Acme'],
    ],
  })
})

test('what routers used is added up, and unknown costs stay unknown', () => {
  const routed = (seq: number, cost: number | null) => step(seq, 0, 'status_change', { step: 'routed', usage: usage(10, 1, cost) })
  const [link] = chain({ ...taskTree, tasks: [task({ steps: [routed(1, 0.5), routed(2, null)] })] })
  expect(link?.router).toEqual(usage(20, 2, null))
  expect(chain({ ...taskTree, tasks: [task()] })[0]?.router).toBeUndefined()
})
