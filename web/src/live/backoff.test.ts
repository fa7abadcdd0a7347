import { expect, test, vi } from 'vitest'
import { look } from '@/testing/visibility'
import { pause } from './backoff'
import { publish } from './workspace-events'

test.each([
  ['the network is back', true, () => { window.dispatchEvent(new Event('online')) }],
  ['notices come in again', true, () => { publish({ type: 'reset' }) }],
  ['a notice comes in', false, () => { publish({ type: 'conversation_changed', conversationId: 'c1' }) }],
  ['the person comes back', true, () => { look('visible') }],
  ['it is given up', true, (given: AbortController) => { given.abort() }],
])('a wait while %s ends at once: %s', async (_, ends, happen) => {
  vi.useFakeTimers()
  const given = new AbortController()
  const over = vi.fn()
  const paused = pause(10_000, given.signal).then(over)
  happen(given)
  await vi.advanceTimersByTimeAsync(0)
  expect(over).toHaveBeenCalledTimes(ends ? 1 : 0)
  await vi.advanceTimersByTimeAsync(10_000)
  await paused
  vi.useRealTimers()
})
